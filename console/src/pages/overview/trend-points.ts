import type { TrendPoint } from '../../charts/trend.ts'
import { countWithIssue, type History, type Overview } from './use-overview.ts'

/**
 * The samples of a history as points of a chart, with the current counts as the last one: a sample may be a day old, and
 * the end of a line is the figure that the rest of the page shows.
 */
export function toTrendPoints({ timesUtc, series }: History, current?: TrendPoint): TrendPoint[] {
  const samples: TrendPoint[] = timesUtc.map((atUtc, index) => {
    const values = series.map(({ name, values }) => [name, values[index] ?? null] as const)
    return { atUtc, ...Object.fromEntries(values) }
  })
  return current ? [...samples, current] : samples
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
