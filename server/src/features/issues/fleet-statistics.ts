import { type RawBuilder, sql } from 'kysely'
import { advisoryLocks } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { type AgentStatus, agentStatusBy, healthOfAgentStatus } from '../agents/agent-status.ts'
import { missingPatches } from '../patches/missing-patches.ts'
import { affectedComputers, type Issue } from './issue.ts'
import { type IssueName, issues } from './issues.ts'

const maxOperatingSystems = 50

/** Ages of the oldest missing security patch of a computer, counted from its release. */
export const patchAges = [
  'NotScanned',
  'NoneMissing',
  'UpTo7Days',
  'UpTo30Days',
  'UpTo90Days',
  'Older',
  'Unknown',
] as const

export type PatchAge = (typeof patchAges)[number]
export type DeploymentStatus = 'Pending' | 'Success' | 'Failed'

export type FleetCounts = {
  computers: number
  health: Record<'Healthy' | 'Warning' | 'Unreachable', number>
  agentStatus: Record<AgentStatus, number>
  operatingSystems: { operatingSystem: string | null; count: number }[]
  issues: { issue: IssueName; count: number }[]
  deploymentStatus: Record<DeploymentStatus, number>
  patchAge: Record<PatchAge, number>
}

/**
 * Counts the fleet and stores the counts, unless another node is counting or the stored counts are younger than
 * `maxAgeSeconds`. Returns whether it counted.
 */
export async function refreshFleetStatistics(db: Database, maxAgeSeconds = 0, signal?: AbortSignal): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const { rows } = await sql<{ isDue: boolean }>`
        select pg_try_advisory_xact_lock(${advisoryLocks.fleetStatistics}) and not exists (
          select from fleet_statistics where calculated_at > now() - make_interval(secs => ${maxAgeSeconds})
        ) as "isDue", set_config('statement_timeout', '15min', true), set_config('jit', 'off', true)`.execute(
        transaction,
      )
      if (!rows[0]?.isDue) return false
      const counts = await countFleet(transaction, signal)
      await sql`
        insert into fleet_statistics (calculated_at, counts) values (now(), ${JSON.stringify(counts)})
        on conflict on constraint fleet_statistics_pkey
          do update set calculated_at = excluded.calculated_at, counts = excluded.counts`.execute(transaction)
      return true
    })
}

async function countFleet(db: Database, signal?: AbortSignal): Promise<FleetCounts> {
  const agentStatus = await countBy(db, ['Reporting', 'Stale', 'Silent', 'Unknown'], computersByAgentStatus)
  const health = { Healthy: 0, Warning: 0, Unreachable: 0 }
  for (const [status, count] of Object.entries(agentStatus)) health[healthOfAgentStatus[status as AgentStatus]] += count
  return {
    computers: Object.values(agentStatus).reduce((sum, count) => sum + count, 0),
    health,
    agentStatus,
    operatingSystems: await countOperatingSystems(db),
    issues: await countIssues(db, signal),
    deploymentStatus: await countBy(db, ['Pending', 'Success', 'Failed'], deploymentsByStatus),
    patchAge: await countBy(db, patchAges, computersByPatchAge),
  }
}

type KeyCount<K extends string> = { key: K; count: number }

const computersByAgentStatus = sql<KeyCount<AgentStatus>>`
  select ${agentStatusBy('contact.last_seen_at')} as key, count(*) as count
  from computers left join computer_contacts contact on contact.computer_id = computers.id group by 1`

const deploymentsByStatus = sql<
  KeyCount<DeploymentStatus>
>`select status as key, count(*) as count from deployments group by 1`

const computersByPatchAge = sql<KeyCount<PatchAge>>`
  select case
      when scan.computer_id is null then 'NotScanned'
      when oldest.computer_id is null then 'NoneMissing'
      when oldest.release_date is null then 'Unknown'
      when oldest.release_date >= current_date - 7 then 'UpTo7Days'
      when oldest.release_date >= current_date - 30 then 'UpTo30Days'
      when oldest.release_date >= current_date - 90 then 'UpTo90Days'
      else 'Older' end as key,
    count(*) as count
  from computers
    left join patch_scans scan on scan.computer_id = computers.id
    left join (
      select missing.computer_id, min(patches.release_date) as release_date
      from (${missingPatches}) as missing join patches on patches.id = missing.patch_id
      where patches.patch_type = 'SecurityPatch'
      group by missing.computer_id
    ) as oldest on oldest.computer_id = computers.id
  group by 1`

async function countBy<const K extends string>(
  db: Database,
  keys: readonly K[],
  query: RawBuilder<KeyCount<K>>,
): Promise<Record<K, number>> {
  const { rows } = await query.execute(db)
  const counts = new Map(rows.map(({ key, count }) => [key, count]))
  return Object.fromEntries(keys.map((key) => [key, counts.get(key) ?? 0])) as Record<K, number>
}

async function countOperatingSystems(db: Database): Promise<FleetCounts['operatingSystems']> {
  const { rows } = await sql<FleetCounts['operatingSystems'][number]>`
    select nullif(concat_ws(' ', os_name, os_edition), '') as "operatingSystem", count(*) as count
    from computers group by 1 order by 2 desc, 1 limit ${maxOperatingSystems}`.execute(db)
  return rows
}

async function countIssues(db: Database, signal?: AbortSignal): Promise<FleetCounts['issues']> {
  const counts: FleetCounts['issues'] = []
  for (const issue of issues) {
    signal?.throwIfAborted()
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (${affectedComputers(issue as Issue, {})}) as affected`.execute(db)
    counts.push({ issue: issue.name, count: rows[0]?.count ?? 0 })
  }
  return counts
}
