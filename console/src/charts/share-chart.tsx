import { RingProgress, Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useFormat } from '../texts/format.ts'
import { ChartFrame } from './chart-frame.tsx'
import classes from './charts.module.css'
import { EmptyChart } from './empty-chart.tsx'
import { type ChartPart, colourOf } from './kinds.ts'
import { PartLabel, PartsTable } from './parts-table.tsx'

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
          <Ring parts={parts} total={total} />
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

function Ring({ parts, total }: { parts: readonly ChartPart[]; total: number }) {
  const format = useFormat()
  const navigate = useNavigate()
  const sections = parts.map(({ value, kind, to }, index) => ({
    value: (value / total) * 100,
    color: colourOf(kind, index),
    ...(to !== undefined && { onClick: () => void navigate(to), className: classes.clickable }),
  }))
  return (
    <RingProgress
      aria-hidden
      size={diameter}
      thickness={18}
      sections={sections}
      label={
        <Text ta="center" className={classes.total}>
          {format.number(total)}
        </Text>
      }
    />
  )
}
