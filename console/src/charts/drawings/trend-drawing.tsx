import { AreaChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useFormat } from '../../texts/format.ts'
import { colourOf } from '../kinds.ts'
import type { TrendPoint, TrendSeries } from '../trend.ts'

type TrendDrawingProps = { data: readonly TrendPoint[]; series: readonly TrendSeries[]; height: number }

const daySeconds = 24 * 60 * 60

/** The lines alone; trend-chart.tsx has the legend. */
export function TrendDrawing({ data, series, height }: TrendDrawingProps) {
  const format = useFormat()
  const points = data.map((point) => ({ ...point, at: Date.parse(point.atUtc) }))
  const seconds = ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)) / 1_000
  const nameOf = seconds > 2 * daySeconds ? format.day : format.time
  return (
    <AreaChart
      h={height}
      data={points}
      dataKey="at"
      series={series.map(({ id, label, kind }, index) => ({ name: id, label, color: colourOf(kind, index) }))}
      valueFormatter={format.number}
      withDots={points.length === 1}
      connectNulls={false}
      fillOpacity={0.12}
      curveType="linear"
      accessibilityLayer={false}
      tickLine="none"
      strokeDasharray="2 4"
      areaChartProps={{ margin: { top: 8, right: 8, bottom: 0, left: 8 } }}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: ['dataMin', 'dataMax'],
        minTickGap: 40,
        tickFormatter: (at: number) => nameOf(at),
      }}
      yAxisProps={{ width: 'auto', allowDecimals: false, tickCount: 4 }}
      // The tooltip is also rendered while it is hidden, without a label.
      tooltipProps={{
        labelFormatter: (at) => (typeof at === 'number' ? format.dateTime(new Date(at).toISOString()) : ''),
      }}
    />
  )
}
