import { Progress } from '@mantine/core'
import { useFormat } from '../texts/format.ts'
import { ChartFrame } from './chart-frame.tsx'
import classes from './charts.module.css'
import { EmptyChart } from './empty-chart.tsx'
import { type ChartPart, colourOf } from './kinds.ts'
import { PartLabel, PartsTable } from './parts-table.tsx'

type BarChartProps = { title: string; bars: readonly ChartPart[]; atUtc?: string | undefined }

/** Horizontal bars with their names and values as text: the names link to the lists. */
export function BarChart({ title, bars, atUtc }: BarChartProps) {
  const format = useFormat()
  const largest = Math.max(...bars.map(({ value }) => value), 1)
  return (
    <ChartFrame title={title} atUtc={atUtc} table={<PartsTable title={title} parts={bars} />}>
      {bars.length === 0 ? (
        <EmptyChart />
      ) : (
        <ul className={classes.bars}>
          {bars.map((bar, index) => (
            <li key={bar.id}>
              <span className={classes.barLabel} style={{ gridRow: index + 1 }}>
                <PartLabel part={bar} />
              </span>
              <Progress
                aria-hidden
                size={14}
                radius="sm"
                value={(bar.value / largest) * 100}
                color={colourOf(bar.kind, 0)}
                className={classes.bar}
                style={{ gridRow: index + 1 }}
              />
              <span className={`${classes.barValue} ${classes.number}`} style={{ gridRow: index + 1 }}>
                {format.number(bar.value)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </ChartFrame>
  )
}
