import type uPlot from 'uplot'
import type { TrendMarks } from './trend.ts'

type MarkColours = { span: string; now: string }

/** Draws spans as bands and the present as a dashed line, both behind the lines of the trend. */
export function drawMarks(
  { ctx, bbox: { left, top, width, height }, valToPos }: Pick<uPlot, 'ctx' | 'bbox' | 'valToPos'>,
  { spans, nowUtc }: TrendMarks,
  colours: MarkColours,
): void {
  const right = left + width
  const positionOf = (utc: string) => valToPos(Date.parse(utc) / 1_000, 'x', true)
  ctx.save()
  ctx.fillStyle = colours.span
  for (const { fromUtc, untilUtc } of spans) {
    const from = Math.max(positionOf(fromUtc), left)
    const until = Math.min(untilUtc === null ? right : positionOf(untilUtc), right)
    // A short pause in a long time must be visible, too.
    if (until >= left && from <= right) ctx.fillRect(from, top, Math.max(until - from, 2), height)
  }
  if (nowUtc !== undefined) {
    const now = Math.min(positionOf(nowUtc), right - 1)
    ctx.strokeStyle = colours.now
    ctx.setLineDash([4, 3])
    ctx.beginPath()
    ctx.moveTo(now, top)
    ctx.lineTo(now, top + height)
    ctx.stroke()
  }
  ctx.restore()
}
