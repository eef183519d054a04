import { type RawBuilder, sql } from 'kysely'
import { advisoryLocks } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { type AgentStatus, agentStatuses } from '../agents/agent-status.ts'
import type { DeploymentStatus } from '../deployments/deployment-status.ts'
import { recordPackageCounts } from '../deployments/package-counts.ts'
import { recordPatchCounts } from '../patches/patch-counts.ts'
import { type HealthStatus, healthStatuses } from './computer-health.ts'
import { countHealth } from './count-health.ts'
import { failingPackagesAsJson } from './failing-packages.ts'
import type { IssueName } from './issues.ts'
import { complianceAsJson } from './patch-compliance.ts'
import { type MissingSeverity, missingSeverities, type PatchAge, patchAges } from './patch-states.ts'
import { recordPatchCompliance } from './states/group-patch-compliance.ts'
import { maxRecordedStates, recordComputerStates } from './states/record-computer-states.ts'
import { combinationsAsJson } from './states/state-combinations.ts'

const maxOperatingSystems = 50

/** A small fleet is counted this often. */
const minPauseSeconds = 5
/** A larger fleet is counted once a minute or more often, for 2 % of the time; a huge one less often, for 5 %. */
const pauseSecondsAfter = (seconds: number) => Math.max(minPauseSeconds, Math.min(60, seconds * 50), seconds * 20)

export type FleetCounts = {
  computers: number
  /** With at least one issue, whatever their health, and heard from in 30 days: the total of `listIssueOverview`. */
  withIssues: number
  health: Record<HealthStatus, number>
  agentStatus: Record<AgentStatus, number>
  operatingSystems: { operatingSystem: string | null; count: number }[]
  issues: { issue: IssueName; count: number }[]
  deploymentStatus: Record<DeploymentStatus, number>
  patchAge: Record<PatchAge, number>
  missingSeverity: Record<MissingSeverity, number>
}

type CountOptions = { onlyIfDue?: boolean; signal?: AbortSignal }

/**
 * Records the state of each computer, counts the fleet and stores the counts, unless another node is counting or, with
 * `onlyIfDue`, the next count is not due yet. Returns whether it counted.
 */
export async function refreshFleetStatistics(db: Database, options: CountOptions = {}): Promise<boolean> {
  const start = performance.now()
  if (!(await recordAllStates(db, options))) return false
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      if (!(await lockCount(transaction))) return false
      const counts = await countFleet(transaction, options.signal)
      await recordPatchCounts(transaction)
      const pause = pauseSecondsAfter((performance.now() - start) / 1_000)
      await sql`
        insert into fleet_statistics (calculated_at, counts, next_count_at, combinations, patch_compliance,
          failing_packages)
        values (now(), ${JSON.stringify(counts)}, clock_timestamp() + make_interval(secs => ${pause}), (${combinationsAsJson}),
          (${complianceAsJson}), (${failingPackagesAsJson}))
        on conflict on constraint fleet_statistics_pkey do update
          set calculated_at = excluded.calculated_at, counts = excluded.counts, next_count_at = excluded.next_count_at,
            combinations = excluded.combinations, patch_compliance = excluded.patch_compliance,
            failing_packages = excluded.failing_packages
        `.execute(transaction)
      await recordPatchCompliance(transaction)
      return true
    })
}

/** Each run is a transaction, so the rows it has locked are free before the next run evaluates all issues. */
async function recordAllStates(db: Database, { onlyIfDue = false, signal }: CountOptions): Promise<boolean> {
  for (;;) {
    signal?.throwIfAborted()
    const recorded = await db
      .transaction()
      .execute(async (transaction) =>
        (await lockCount(transaction, { onlyIfDue })) ? recordComputerStates(transaction) : undefined,
      )
    if (recorded === undefined) return false
    if (recorded < maxRecordedStates) return true
  }
}

/** Keeps other nodes from counting until the transaction ends. Returns false if another one counts, or no count is due. */
async function lockCount(transaction: Database, { onlyIfDue = false } = {}): Promise<boolean> {
  const { rows } = await sql<{ mayCount: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLocks.fleetStatistics}) and not exists (
      select from fleet_statistics where ${onlyIfDue} and next_count_at > now()
    ) as "mayCount", set_config('statement_timeout', '15min', true), set_config('jit', 'off', true)`.execute(
    transaction,
  )
  return rows[0]?.mayCount ?? false
}

async function countFleet(db: Database, signal?: AbortSignal): Promise<FleetCounts> {
  const { withIssues, issues, statuses } = await countHealth(db)
  signal?.throwIfAborted()
  return {
    computers: sumOf(statuses),
    withIssues,
    health: countsOf(healthStatuses, (status) => statuses.filter(({ health }) => health === status)),
    agentStatus: countsOf(agentStatuses, (status) => statuses.filter(({ agent }) => agent === status)),
    operatingSystems: await countOperatingSystems(db),
    issues,
    deploymentStatus: await recordPackageCounts(db),
    patchAge: await countBy(db, patchAges, computersByPatchAge),
    missingSeverity: await countBy(db, missingSeverities, computersByMissingSeverity),
  }
}

const sumOf = (rows: readonly { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0)

function countsOf<K extends string>(keys: readonly K[], rowsOf: (key: K) => { count: number }[]) {
  return Object.fromEntries(keys.map((key) => [key, sumOf(rowsOf(key))])) as Record<K, number>
}

type KeyCount<K extends string> = { key: K; count: number }

const computersByPatchAge = sql<
  KeyCount<PatchAge>
>`select patch_age as key, count(*) as count from computer_summaries group by 1`

const computersByMissingSeverity = sql<
  KeyCount<MissingSeverity>
>`select missing_severity as key, count(*) as count from computer_summaries group by 1`

async function countBy<const K extends string>(
  db: Database,
  keys: readonly K[],
  query: RawBuilder<KeyCount<K>>,
): Promise<Record<K, number>> {
  const { rows } = await query.execute(db)
  return countsOf(keys, (key) => rows.filter((row) => row.key === key))
}

async function countOperatingSystems(db: Database): Promise<FleetCounts['operatingSystems']> {
  const { rows } = await sql<FleetCounts['operatingSystems'][number]>`
    select nullif(concat_ws(' ', os_name, os_edition), '') as "operatingSystem", count(*) as count
    from computers group by 1 order by 2 desc, 1 limit ${maxOperatingSystems}`.execute(db)
  return rows
}
