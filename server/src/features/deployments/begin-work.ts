import type { PackageKind } from '@muster/package-format'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import { insertDistributionEvents } from '../work-states/distribution-events.ts'
import { newLease } from './lease.ts'

type WorkStart = {
  attempt: number
  runId: string
  /** Whether the agent gets the commands only now. It does not get them while the installation or a rollout stops it. */
  isHandOut: boolean
}

/** Whether the rollout of a leased work item was paused or cancelled since, or its maintenance window is nearly over. */
export function isStoppedByRollout(work: string): RawBuilder<boolean> {
  return sql`(coalesce(${sql.ref(`${work}.start_by`)} < now(), false) or exists (
    select from rollouts where rollouts.id = ${sql.ref(`${work}.rollout_id`)} and rollouts.state in ('Paused', 'Cancelled')))`
}

export type BegunWork = { package_id: string | null; package_kind: PackageKind | null }

/**
 * Records that the agent has begun an attempt. The first start of an attempt adds an event to the history; a repeated
 * start only renews the lease. Returns undefined if this attempt is not leased to the computer.
 */
export async function beginWork(
  db: Database,
  clientId: number,
  workId: number,
  { attempt, runId, isHandOut }: WorkStart,
): Promise<BegunWork | undefined> {
  const { rows } = await sql<BegunWork>`
    with leased as (
      select id, progress from work
      where id = ${workId} and computer_id = ${clientId} and state = 'Leased' and attempt = ${attempt}
        and (progress is not null or not ${isHandOut}::boolean
          or not (${isFrozen} or ${isStoppedByRollout('work')}))
      for update
    ), begun as (
      update work set leased_until = ${newLease}, run_id = ${runId}, progress = coalesce(work.progress, 0),
        content_hash = (select content_hash from packages where packages.id = work.package_id)
      from leased where work.id = leased.id
      returning work.computer_id, work.package_id, work.kind, leased.progress is null as is_first
    ), start_events as (
      ${insertDistributionEvents({
        from: sql`begun where is_first and package_id is not null`,
        result: 'Running',
        classification: 'Report',
        installMode: sql.ref('kind'),
      })}
    )
    select package_id, packages.kind as package_kind from begun left join packages on packages.id = package_id`.execute(
    db,
  )
  return rows[0]
}

/** Records which patches the work of a fix package installs, for its events and its files. */
export async function recordPatchesOfWork(db: Database, workId: number, patchIds: readonly number[]): Promise<void> {
  await sql`update work set patch_ids = ${patchIds}::integer[] where id = ${workId}`.execute(db)
}
