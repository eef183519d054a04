import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { useFormat } from '../texts/format.ts'
import { ChartFrame } from './chart-frame.tsx'
import classes from './charts.module.css'
import { drawnLater } from './drawn-later.ts'
import { EmptyChart } from './empty-chart.tsx'
import { type ChartPart, colourOf } from './kinds.ts'
import { PartLabel, PartsTable } from './parts-table.tsx'

const ShareDrawing = drawnLater(async () => (await import('./drawings/share-drawing.tsx')).ShareDrawing)

/** In pixels. */
const diameter = 140

type ShareChartProps = { title: string; parts: readonly ChartPart[]; atUtc?: string | undefined }

/** A ring with its legend: the names in the legend link to the lists. */
export function ShareChart({ title, parts, atUtc }: ShareChartProps) {
  const format = useFormat()
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  return (
    <ChartFrame title={title} atUtc={atUtc} table={<PartsTable title={title} parts={parts} />}>
      {total === 0 ? (
        <EmptyChart />
      ) : (
        <div className={classes.share}>
          <div aria-hidden>
            <Suspense fallback={<Skeleton circle height={diameter} />}>
              <ShareDrawing parts={parts} total={total} diameter={diameter} />
            </Suspense>
          </div>
          <ul className={classes.parts}>
            {parts.map((part, index) => (
              <li key={part.id}>
                <span className={classes.swatch} style={{ background: colourOf(part.kind, index) }} />
                <PartLabel part={part} />
                <span className={classes.number}>{format.number(part.value)}</span>
                <span className={`${classes.number} ${classes.percent}`}>{format.percent(part.value / total)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </ChartFrame>
  )
}
