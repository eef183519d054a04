import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useNavigate } from 'react-router'
import classes from '../charts.module.css'
import type { ChartPart } from '../kinds.ts'

/** The bars alone; bar-chart.tsx shows names and values beside them. */
export function BarDrawing({ bars, height }: { bars: readonly ChartPart[]; height: number }) {
  const navigate = useNavigate()
  const open = (index: number) => {
    const to = bars[index]?.to
    if (to !== undefined) void navigate(to)
  }
  return (
    <BarChart
      h={height}
      orientation="vertical"
      data={bars.map(({ id, value, kind }) => ({ id, value, color: `var(--chart-${kind ?? 'other-1'})` }))}
      dataKey="id"
      series={[{ name: 'value' }]}
      withXAxis={false}
      withYAxis={false}
      withTooltip={false}
      gridAxis="none"
      accessibilityLayer={false}
      xAxisProps={{ domain: [0, 'dataMax'] }}
      barChartProps={{ margin: { top: 0, right: 0, bottom: 0, left: 0 } }}
      barProps={{
        barSize: 14,
        minPointSize: (value) => (value ? 3 : 0),
        radius: 3,
        background: { fill: 'var(--chart-track)', radius: 3 },
        onClick: (_, index) => open(index),
        ...(bars.some(({ to }) => to !== undefined) ? { className: classes.clickable } : {}),
      }}
    />
  )
}
