import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, enumOf, Instant, Type, text } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { historyMetrics } from '../history-samples.ts'
import { type HistoryResolution, historyResolutions } from '../record-history.ts'
import { FleetHistory } from './schemas.ts'

const day = 24 * 60 * 60 * 1_000
const defaultSpan: Record<HistoryResolution, number> = { Hour: 7 * day, Day: 365 * day }

export const getFleetHistory = operation({
  id: 'getFleetHistory',
  route: 'GET /api/fleet/history',
  summary: 'Get counts of the fleet over time, for charts',
  description:
    'The fleet is counted once an hour. Samples of hours are kept for 90 days, those of days for 5 years; the sample of a ' +
    'day is the first one of it, in UTC. `timesUtc` has the hours or days with a sample: one in which the service did not ' +
    'run is missing. Each series has one value for each of these times. Only the 50 largest series are shown.',
  role: 'computer.read',
  extension: true,
  query: closed({
    metric: enumOf(historyMetrics, {
      description:
        'What is counted: computers (all, reporting, silent, with failed deployments), computers by health, agent status, ' +
        'operating system, issue, the age of their oldest missing security patch, or whether they are within the SLA of patches; deployments by status; work items of ' +
        'kept tasks by state; missing patches by severity; computers by the installed version of `packageName`',
    }),
    packageName: Type.Optional(text(255, 'Greeting', 'The package of the metric `packageVersions`; case is ignored')),
    resolution: Type.Optional({ ...enumOf(historyResolutions), default: 'Hour' }),
    from: Type.Optional({ ...Instant, description: 'The beginning; by default 7 days or a year before the end' }),
    to: Type.Optional({ ...Instant, description: 'The end, which is not included; now by default' }),
  }),
  returns: ok(FleetHistory),
  async handle({ query, db }) {
    const { metric, resolution = 'Hour', packageName } = query
    if ((metric === 'packageVersions') !== (packageName !== undefined))
      throw invalidPart('query', 'packageName', 'is required for the metric packageVersions, and for no other')
    const to = query.to ?? new Date()
    const from = query.from ?? new Date(to.getTime() - defaultSpan[resolution])
    const periods = sql`resolution = ${resolution} and period >= ${from} and period < ${to}`
    // Every sample has the metric `computers`. Two ranges of an index, grouped: a join could become a nested loop.
    const { rows } = await sql<{ period: Date; counts: Record<string, number> | null }>`
      select period, (array_agg(counts) filter (where counts is not null))[1] as counts
      from (
        select period, null::jsonb as counts from fleet_history where metric = 'computers' and subject = '' and ${periods}
        union all
        select period, counts from fleet_history
        where metric = ${metric} and subject = ${packageName?.toLowerCase() ?? ''} and ${periods}
      ) as found
      group by period order by period`.execute(db)
    return { metric, resolution, timesUtc: rows.map(({ period }) => period), series: toSeries(rows) }
  },
})

const maxSeries = 50

/** A name that a sample does not have was counted zero times in it. */
function toSeries(samples: readonly { counts: Record<string, number> | null }[]) {
  const names = [...new Set(samples.flatMap(({ counts }) => Object.keys(counts ?? {})))]
  const series = names.map((name) => ({ name, values: samples.map(({ counts }) => counts?.[name] ?? 0) }))
  const largest = ({ values }: { values: number[] }) => values.reduce((most, value) => Math.max(most, value), 0)
  return series.toSorted((a, b) => largest(b) - largest(a) || (a.name < b.name ? -1 : 1)).slice(0, maxSeries)
}
