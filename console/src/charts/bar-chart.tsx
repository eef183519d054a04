import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { useFormat } from '../texts/format.ts'
import { ChartFrame } from './chart-frame.tsx'
import classes from './charts.module.css'
import { drawnLater } from './drawn-later.ts'
import { EmptyChart } from './empty-chart.tsx'
import type { ChartPart } from './kinds.ts'
import { PartLabel, PartsTable } from './parts-table.tsx'

const BarDrawing = drawnLater(async () => (await import('./drawings/bar-drawing.tsx')).BarDrawing)

/** In pixels; the line height of .bars in charts.module.css. */
const barHeight = 30

type BarChartProps = { title: string; bars: readonly ChartPart[]; atUtc?: string | undefined }

/** Horizontal bars with their names and values as text: the names link to the lists. */
export function BarChart({ title, bars, atUtc }: BarChartProps) {
  const format = useFormat()
  const height = bars.length * barHeight
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
              <span className={`${classes.barValue} ${classes.number}`} style={{ gridRow: index + 1 }}>
                {format.number(bar.value)}
              </span>
            </li>
          ))}
          <li aria-hidden>
            <div className={classes.barDrawing} style={{ gridRow: `1 / span ${bars.length}`, height }}>
              <Suspense fallback={<Skeleton height={height} />}>
                <BarDrawing bars={bars} height={height} />
              </Suspense>
            </div>
          </li>
        </ul>
      )}
    </ChartFrame>
  )
}
