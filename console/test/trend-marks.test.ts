import { expect, test } from 'vitest'
import { drawMarks } from '../src/charts/trend-marks.ts'

type Plot = Parameters<typeof drawMarks>[0]

/** A plot whose axis has one pixel for each second, and what is drawn on it. */
function givenPlot() {
  const bands: number[][] = []
  const lines: number[] = []
  const ctx = {
    fillRect: (...band: number[]) => bands.push(band),
    moveTo: (x: number) => lines.push(x),
    ...{ save() {}, restore() {}, setLineDash() {}, beginPath() {}, lineTo() {}, stroke() {} },
  }
  const plot = {
    ctx,
    bbox: { left: 10, top: 5, width: 100, height: 50 },
    valToPos: (value: number) => 10 + value,
  } as unknown as Plot
  return { plot, bands, lines }
}

const at = (second: number) => new Date(second * 1_000).toISOString()
const colours = { span: 'orange', now: 'grey' }

test('a trend marks pauses as bands, the current one up to the end, and the present as a line', () => {
  const { plot, bands, lines } = givenPlot()
  const spans = [
    { fromUtc: at(20), untilUtc: at(30) },
    { fromUtc: at(80), untilUtc: null },
  ]

  drawMarks(plot, { spans, spanLabel: 'Paused', nowUtc: at(90) }, colours)

  expect(bands).toEqual([
    [30, 5, 10, 50],
    [90, 5, 20, 50],
  ])
  expect(lines).toEqual([100])
})

test('a mark never leaves the plot, and a short pause remains visible', () => {
  const { plot, bands, lines } = givenPlot()
  const spans = [
    { fromUtc: at(-50), untilUtc: at(-40) },
    { fromUtc: at(-5), untilUtc: at(5) },
    { fromUtc: at(50), untilUtc: at(50.1) },
  ]

  drawMarks(plot, { spans, spanLabel: 'Paused', nowUtc: at(500) }, colours)

  expect(bands).toEqual([
    [10, 5, 5, 50],
    [60, 5, 2, 50],
  ])
  expect(lines).toEqual([109])
})
