import type { TrendPoint } from '../../charts/trend.ts'
import { countWithIssue, type History, type Overview } from './use-overview.ts'

const maxHours = 7 * 24

/**
 * The samples of a history as points of a chart, with the current counts as the last one: a sample may be an hour old, and
 * the end of a line is the figure that the rest of the page shows. Of a long history, the last point of each day is enough.
 */
export function toTrendPoints({ timesUtc, series }: History, current?: TrendPoint): TrendPoint[] {
  const samples: TrendPoint[] = timesUtc.map((atUtc, index) => {
    const values = series.map(({ name, values }) => [name, values[index] ?? null] as const)
    return { atUtc, ...Object.fromEntries(values) }
  })
  const points = current ? [...samples, current] : samples
  return points.length > maxHours
    ? points.filter(({ atUtc }, index) => dayOf(atUtc) !== dayOf(points[index + 1]?.atUtc))
    : points
}

/** The current counts by the names that the history of the metric `computers` has. */
export function toCurrentPoint({ calculatedAtUtc, counts }: Overview['statistics']): TrendPoint | undefined {
  if (!calculatedAtUtc || !counts) return undefined
  return {
    atUtc: calculatedAtUtc,
    total: counts.computers,
    reporting: counts.agentStatus.Reporting,
    withFailures: countWithIssue(counts, 'failed-deployment'),
  }
}

const dayOf = (instant: string | undefined) => instant?.slice(0, 'YYYY-MM-DD'.length)
