import { DonutChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useNavigate } from 'react-router'
import { useFormat } from '../../texts/format.ts'
import classes from '../charts.module.css'
import { type ChartPart, colourOf } from '../kinds.ts'

type ShareDrawingProps = { parts: readonly ChartPart[]; total: number; diameter: number }

/** The ring alone; share-chart.tsx has the legend. */
export function ShareDrawing({ parts, total, diameter }: ShareDrawingProps) {
  const format = useFormat()
  const navigate = useNavigate()
  const open = (index: number) => {
    const to = parts[index]?.to
    if (to !== undefined) void navigate(to)
  }
  return (
    <DonutChart
      size={diameter}
      thickness={18}
      strokeWidth={2}
      data={parts.map(({ label, value, kind }, index) => ({ name: label, value, color: colourOf(kind, index) }))}
      classNames={{ label: classes.total ?? '' }}
      chartLabel={format.number(total)}
      tooltipDataSource="segment"
      valueFormatter={format.number}
      accessibilityLayer={false}
      pieProps={{ onClick: (_, index) => open(index), rootTabIndex: -1, startAngle: 90, endAngle: -270 }}
      cellProps={({ name }) => ({ cursor: parts.find(({ label }) => label === name)?.to ? 'pointer' : 'default' })}
    />
  )
}
