import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/texts.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import classes from './charts.module.css'
import { EmptyChart } from './empty-chart.tsx'
import { colourOf } from './kinds.ts'
import type { TrendMarks, TrendPoint, TrendSeries } from './trend.ts'

/** With the chart library: it is loaded by the first page that draws lines. */
const TrendDrawing = lazy(async () => ({ default: (await import('./trend-drawing.tsx')).TrendDrawing }))

type TrendChartProps = {
  title: string
  data: readonly TrendPoint[]
  series: readonly TrendSeries[]
  atUtc?: string | undefined
  /** Where the time begins, if not with the first point. */
  fromUtc?: string | undefined
  marks?: TrendMarks
  /** Without numbers in the legend: the page shows others, which count something else. */
  isShapeOnly?: boolean
  /** In pixels. */
  height?: number
}

/** Lines over time, with a legend that shows the latest values. One point is no line: then the values are all. */
export function TrendChart({
  title,
  data,
  series,
  atUtc,
  fromUtc,
  marks,
  isShapeOnly = false,
  height = 200,
}: TrendChartProps) {
  const table = <TrendTable title={title} data={data} series={series} />
  return (
    <ChartFrame title={title} atUtc={atUtc} table={table}>
      <TrendLegend
        series={series}
        latest={isShapeOnly ? undefined : data.at(-1)}
        isAlone={data.length === 1}
        marks={marks}
      />
      {data.length === 0 && <EmptyChart />}
      {data.length > 1 && (
        <div aria-hidden className={classes.trendDrawing} style={{ height }}>
          <Suspense fallback={<Skeleton height={height} />}>
            <TrendDrawing data={data} series={series} fromUtc={fromUtc} marks={marks} height={height} />
          </Suspense>
        </div>
      )}
    </ChartFrame>
  )
}

type TrendLegendProps = {
  series: readonly TrendSeries[]
  /** Undefined: no numbers. */
  latest: TrendPoint | undefined
  /** Without lines below it. */
  isAlone: boolean
  marks: TrendMarks | undefined
}

function TrendLegend({ series, latest, isAlone, marks }: TrendLegendProps) {
  const format = useFormat()
  const texts = useTexts().charts
  return (
    <ul className={classes.legend} data-alone={isAlone}>
      {series.map(({ id, label, kind }, index) => (
        <li key={id}>
          <span className={classes.swatch} style={{ background: colourOf(kind, index) }} />
          {label}
          {latest && <b className={classes.number}>{format.optionalNumber(latest[id])}</b>}
        </li>
      ))}
      {marks?.spans.map(({ fromUtc, untilUtc }) => (
        <li key={fromUtc}>
          <span className={classes.spanSwatch} />
          {marks.spanLabel}{' '}
          {untilUtc === null
            ? texts.since(format.dateTime(fromUtc))
            : texts.fromTo(format.dateTime(fromUtc), format.dateTime(untilUtc))}
        </li>
      ))}
      {marks?.nowUtc && (
        <li>
          <span className={classes.nowSwatch} />
          {texts.now(format.dateTime(marks.nowUtc))}
        </li>
      )}
    </ul>
  )
}

function TrendTable({ title, data, series }: Pick<TrendChartProps, 'title' | 'data' | 'series'>) {
  const texts = useTexts().charts
  const format = useFormat()
  return (
    <ChartTable
      title={title}
      columns={[texts.time, ...series.map(({ label }) => label)]}
      rows={data.toReversed().map((point) => ({
        id: point.atUtc,
        cells: [format.dateTime(point.atUtc), ...series.map(({ id }) => format.optionalNumber(point[id]))],
      }))}
    />
  )
}
