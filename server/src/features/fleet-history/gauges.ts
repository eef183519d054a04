import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { FleetGauge } from '../../platform/metrics/fleet-metrics.ts'
import type { FleetCounts } from '../issues/fleet-statistics.ts'
import type { GaugeCounts } from './refresh-gauges.ts'

/** What was counted last, by whichever node. A part that was never counted is null. */
export type FleetSnapshot = {
  fleet: Pick<FleetCounts, 'computers' | 'agentStatus' | 'issues'> | null
  gauges: GaugeCounts | null
  fleetAgeSeconds: number | null
  gaugesAgeSeconds: number | null
}

/** Reads two rows by their keys. */
export async function readFleetSnapshot(db: Database): Promise<FleetSnapshot> {
  const age = (column: string) => sql<number>`extract(epoch from now() - ${sql.ref(column)})::float8`
  const { rows } = await sql<FleetSnapshot>`
    select statistics.counts - '{operatingSystems,health,patchAge,missingSeverity,deploymentStatus}'::text[] as fleet, gauges.counts as gauges,
      ${age('statistics.calculated_at')} as "fleetAgeSeconds", ${age('gauges.calculated_at')} as "gaugesAgeSeconds"
    from (values (true)) as one (id)
      left join fleet_statistics statistics using (id) left join fleet_gauges gauges using (id)`.execute(db)
  const [snapshot] = rows
  if (!snapshot) throw new Error('A join of one row has one row.')
  return snapshot
}

const gauge = <L extends string>(declaration: FleetGauge<FleetSnapshot, L>) => declaration

/**
 * The gauges of the whole fleet. Every node shows the same values, so alert on their maximum, not on their sum. Other
 * features add theirs to this list; the values come from what `readFleetSnapshot` reads.
 */
export const fleetGauges: readonly FleetGauge<FleetSnapshot>[] = [
  gauge({
    name: 'muster_computers',
    help: 'Computers of the fleet.',
    labels: [],
    values: ({ fleet }) => (fleet ? [{ labels: {}, value: fleet.computers }] : []),
  }),
  gauge({
    name: 'muster_agents',
    help: 'Computers by the status of their agent: Reporting, Stale, Silent or Unknown.',
    labels: ['status'],
    values: ({ fleet }) =>
      Object.entries(fleet?.agentStatus ?? {}).map(([status, value]) => ({ labels: { status }, value })),
  }),
  gauge({
    name: 'muster_issues',
    help: 'Computers with each issue, by the default thresholds of the sweeps.',
    labels: ['issue'],
    values: ({ fleet }) => (fleet?.issues ?? []).map(({ issue, count }) => ({ labels: { issue }, value: count })),
  }),
  gauge({
    name: 'muster_work_items',
    help: 'Work items of the tasks that are kept, by their state.',
    labels: ['state'],
    values: ({ gauges }) => Object.entries(gauges?.work ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  }),
  gauge({
    name: 'muster_open_work_items',
    help: 'Open work items by their state and the time since their creation.',
    labels: ['state', 'age'],
    values: ({ gauges }) =>
      (gauges?.openWork ?? []).map(({ state, age, count }) => ({ labels: { state, age }, value: count })),
  }),
  gauge({
    name: 'muster_oldest_work_seconds',
    help: 'For how long the oldest open work item has waited: Due since it may start, Leased since its creation.',
    labels: ['state'],
    values: ({ gauges }) =>
      (gauges?.oldestWork ?? []).map(({ state, seconds }) => ({ labels: { state }, value: seconds })),
  }),
  gauge({
    name: 'muster_failed_deployments',
    help: 'Failed deployments of the 20 packages with the largest number; the others together are "other".',
    labels: ['package'],
    values: ({ gauges }) =>
      (gauges?.failures ?? []).map((failure) => ({
        labels: { package: failure.package ?? 'other' },
        value: failure.count,
      })),
  }),
  gauge({
    name: 'muster_jobs',
    help: 'Unfinished background jobs by queue and status.',
    labels: ['queue', 'status'],
    values: ({ gauges }) =>
      (gauges?.jobs ?? []).map(({ queue, status, count }) => ({ labels: { queue, status }, value: count })),
  }),
  gauge({
    name: 'muster_oldest_job_seconds',
    help: 'For how long the oldest unfinished job of a queue has waited or run.',
    labels: ['queue', 'status'],
    values: ({ gauges }) =>
      (gauges?.jobs ?? []).map(({ queue, status, oldestSeconds }) => ({
        labels: { queue, status },
        value: oldestSeconds,
      })),
  }),
  gauge({
    name: 'muster_fleet_counts_age_seconds',
    help: 'The age of the values that all nodes share, by what was counted.',
    labels: ['counts'],
    values: ({ fleetAgeSeconds, gaugesAgeSeconds }) =>
      Object.entries({ fleet: fleetAgeSeconds, work: gaugesAgeSeconds }).flatMap(([counts, value]) =>
        value === null ? [] : [{ labels: { counts }, value }],
      ),
  }),
]
