import { Paper, Text, useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import 'uplot/dist/uPlot.min.css'
import { useFormat } from '../texts/format.ts'
import classes from './charts.module.css'
import type { TrendMarks, TrendPoint, TrendSeries } from './trend.ts'
import { openTrendPlot } from './trend-plot.ts'

type TrendDrawingProps = {
  data: readonly TrendPoint[]
  series: readonly TrendSeries[]
  fromUtc?: string | undefined
  marks?: TrendMarks | undefined
  height: number
}

type Hovered = { index: number; left: number }

/** The lines alone; trend-chart.tsx has the legend, and the table has every value. */
export function TrendDrawing({ data, series, fromUtc, marks, height }: TrendDrawingProps) {
  const format = useFormat()
  const scheme = useComputedColorScheme('light')
  const { ref: sizeRef, width } = useElementSize()
  const place = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<Hovered>()
  const content = JSON.stringify([data, fromUtc, marks, series.map(({ id, kind }) => [id, kind])])
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when the content, the size or the colours change
  useEffect(() => {
    if (!place.current || width === 0) return
    const plot = openTrendPlot(place.current, {
      ...{ data, series, fromUtc, marks, width, height, format },
      onHover: setHovered,
    })
    return () => plot.destroy()
  }, [content, width, height, scheme, format])
  const point = hovered && data[hovered.index]
  return (
    <div ref={sizeRef} className={classes.trendPlace}>
      <div ref={place} />
      {point && (
        <Paper withBorder shadow="sm" px="xs" py={4} className={classes.tooltip} style={{ left: hovered.left }}>
          <Text size="xs" c="dimmed">
            {format.dateTime(point.atUtc)}
          </Text>
          {series.map(({ id, label }) => (
            <Text key={id} size="xs">
              {label}: {format.optionalNumber(point[id])}
            </Text>
          ))}
        </Paper>
      )}
    </div>
  )
}
