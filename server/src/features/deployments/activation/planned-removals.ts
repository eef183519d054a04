import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { CountRemovals } from '../../../platform/operation.ts'
import { distributionCommands } from '../../distribution/commands.ts'
import type { ActivationBits, ActivationScope } from './activation-scope.ts'
import { dueWork, type WorkBit } from './due-work.ts'

/**
 * Who answers for work that removes software: the caller, whose quota counts it, or the request that was counted before
 * its work is created; `only` is a condition on `due`.
 */
export type RemovalLimit = { count: CountRemovals } | { only: RawBuilder<boolean> }

type Computers = RawBuilder<{ computer_id: number }>

const isRemoval = (column: string) => sql<boolean>`${sql.ref(column)} in ('Uninstall', 'Reinstall')`

/** The computers from which the work of a task removes software. */
export function removalsOfTask(taskId: string): Computers {
  return sql`select computer_id from work where task_id = ${taskId} and ${isRemoval('kind')}`
}

/** Allows removals on these computers only, as a condition on `due`. Null allows all. */
export function onlyRemovalsOn(computerIds: RawBuilder<number[] | null>): RawBuilder<boolean> {
  // With a cast it is an array; without one, `any` would look for rows.
  const ids = sql`${computerIds}::integer[]`
  return sql`(not ${isRemoval('due.kind')} or ${ids} is null or due.computer_id = any(${ids}))`
}

export type PlannedPublication = Pick<ActivationBits, 'software' | 'pxe'> & {
  scope: ActivationScope
  /** Null: all packages. */
  packageId: string | null
}

/** Counts the computers from which software would be removed if the scope were published now. Returns their ids. */
export async function countPlannedRemovals(
  db: Database,
  count: CountRemovals,
  planned: PlannedPublication,
): Promise<readonly number[] | null> {
  // Hardly any fleet has such options at most times, and what is due is expensive to find for a large scope.
  const { rows } = await sql`
    select from distribution_options
    where dist_commands & ${distributionCommands.Uninstall | distributionCommands.Reinstall}::integer <> 0 limit 1`.execute(
    db,
  )
  return count(rows.length > 0 ? plannedRemovals(planned) : sql`select id as computer_id from computers where false`)
}

function plannedRemovals({ scope, software, pxe, packageId }: PlannedPublication): Computers {
  const bits: WorkBit[] = [...(software ? (['software'] as const) : []), ...(pxe ? (['pxe'] as const) : [])]
  const ofBit = (bit: WorkBit) => sql`
    select computer_id from (${dueWork(bit, scope.computers, noWindows, asIfPublished(scope, bit))}) as due
    where ${isRemoval('kind')} and (${packageId}::uuid is null or package_id = ${packageId}::uuid)`
  if (bits.length === 0) return sql`select id as computer_id from computers where false`
  return sql`${sql.join(bits.map(ofBit), sql` union all `)}`
}

/** When work is due does not matter. */
export const noWindows = sql<{ schedule: string; starts_at: Date; ends_at: Date | null }>`
  unnest('{}'::text[], '{}'::timestamptz[], '{}'::timestamptz[]) as windows (schedule, starts_at, ends_at)`

/** The activations through which the scope is published, as if they existed. */
export function asIfPublished({ memberships }: ActivationScope, bit: WorkBit): RawBuilder<unknown> {
  return sql`(select computer_id, group_id, true as ${sql.ref(bit)}, 1 as id from (${memberships}) as released)`
}
