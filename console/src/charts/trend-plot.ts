import uPlot from 'uplot'
import type { useFormat } from '../texts/format.ts'
import { colourOf } from './kinds.ts'
import { timeLabels } from './time-labels.ts'
import type { TrendMarks, TrendPoint, TrendSeries } from './trend.ts'
import { drawMarks } from './trend-marks.ts'

type TrendPlot = {
  data: readonly TrendPoint[]
  series: readonly TrendSeries[]
  /** Where the axis begins, if not with the first point. */
  fromUtc?: string | undefined
  marks?: TrendMarks | undefined
  width: number
  height: number
  format: ReturnType<typeof useFormat>
  onHover: (hovered: { index: number; left: number } | undefined) => void
}

/** Draws the lines into the element. The colours are those of the element, since a canvas knows no variables. */
export function openTrendPlot(place: HTMLElement, plot: TrendPlot): uPlot {
  const { data, series, fromUtc, marks, width, height, format, onHover } = plot
  const times = data.map(({ atUtc }) => Date.parse(atUtc) / 1_000)
  const axis = { stroke: colourIn(place, 'var(--mantine-color-dimmed)'), font: '12px system-ui, sans-serif' }
  const grid = { stroke: colourIn(place, 'var(--mantine-color-default-border)'), width: 1, dash: [2, 4] }
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const begin = fromUtc === undefined ? first : Date.parse(fromUtc) / 1_000
  const end = marks?.nowUtc === undefined ? last : Math.max(last, Date.parse(marks.nowUtc) / 1_000)
  const options: uPlot.Options = {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      ...((fromUtc !== undefined || marks) && { x: { range: [begin, end] } }),
      y: { range: (_, __, max) => [0, Math.max(max * 1.05, 4)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ticks: { show: false },
        size: 28,
        values: (_, at, __, ___, step) => timeLabels(at, step, format),
      },
      { ...axis, grid, ticks: { show: false }, incrs: wholeSteps, values: (_, values) => values.map(format.number) },
    ],
    series: [{}, ...series.map(({ kind }, index) => lineOf(colourIn(place, colourOf(kind, index))))],
    hooks: {
      ...(marks && {
        drawClear: [
          (drawn) =>
            drawMarks(drawn, marks, {
              span: translucent(colourIn(place, 'var(--chart-warning)'), 0.18),
              now: axis.stroke,
            }),
        ],
      }),
      setCursor: [
        ({ cursor: { idx, left = 0 } }) =>
          onHover(idx === null || idx === undefined || left < 0 ? undefined : { index: idx, left }),
      ],
    },
  }
  const lines = series.map(({ id }) => data.map((point) => (typeof point[id] === 'number' ? point[id] : null)))
  return new uPlot(options, [times, ...lines], place)
}

/** Computers and failures are whole numbers. */
const wholeSteps = [1, 2, 5]
  .flatMap((step) => [0, 1, 2, 3, 4, 5, 6].map((power) => step * 10 ** power))
  .sort((a, b) => a - b)

function lineOf(colour: string): uPlot.Series {
  return {
    stroke: colour,
    fill: translucent(colour, 0.1),
    width: 2,
    points: { show: false },
  }
}

const translucent = (colour: string, share: number) => colour.replace('rgb(', 'rgba(').replace(')', `, ${share})`)

/** The colour as the browser computes it for this element, in the form `rgb(…)`. */
function colourIn(place: HTMLElement, colour: string): string {
  const probe = document.createElement('span')
  probe.style.color = colour
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
