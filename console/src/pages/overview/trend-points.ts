import type { TrendPoint } from '../../charts/trend.ts'
import type { History } from './use-overview.ts'

const maxHours = 7 * 24

/**
 * The samples of a history as points of a chart. Of a long history, one sample per day is enough: the last one so that
 * today has the latest figures.
 */
export function toTrendPoints({ timesUtc, series }: History): TrendPoint[] {
  const points = timesUtc.map((atUtc, index) => {
    const values = series.map(({ name, values }) => [name, values[index] ?? null] as const)
    return { atUtc, ...Object.fromEntries(values) }
  })
  return points.length > maxHours ? points.filter((_, index) => isLastOfDay(timesUtc, index)) : points
}

const dayOf = (instant: string | undefined) => instant?.slice(0, 'YYYY-MM-DD'.length)

function isLastOfDay(timesUtc: readonly string[], index: number): boolean {
  return dayOf(timesUtc[index]) !== dayOf(timesUtc[index + 1])
}
