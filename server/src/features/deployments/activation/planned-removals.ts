import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { CountRemovals } from '../../../platform/operation.ts'
import { distributionCommands } from '../../distribution/commands.ts'
import type { ActivationBits, ActivationScope } from './activation-scope.ts'
import { dueWork, isForPackage, type WorkBit } from './due-work.ts'
import { type DueOptions, loadUnscheduledOptions } from './reachable-options.ts'

type Computers = RawBuilder<{ computer_id: number }>

export const isRemoval = (column: string) => sql<boolean>`${sql.ref(column)} in ('Uninstall', 'Reinstall')`

/** The computers from which the work of a task removes software. */
export function removalsOfTask(taskId: string): Computers {
  return sql`select computer_id from work where task_id = ${taskId} and ${isRemoval('kind')}`
}

export type PlannedPublication = Pick<ActivationBits, 'software' | 'pxe'> & {
  scope: ActivationScope
  /** Null: all packages. */
  packageId: string | null
}

/** Which computers lose which packages: a computer and a package at each position. */
export type PlannedRemovals = { computerIds: readonly number[]; packageIds: readonly string[] }

/**
 * Counts the computers from which software would be removed if the scope were published now. Returns what they would lose;
 * null if nothing limits the caller.
 */
export async function countPlannedRemovals(
  db: Database,
  count: CountRemovals,
  planned: PlannedPublication,
): Promise<PlannedRemovals | null> {
  // Few fleets have such options at any time, and what is due is expensive to find for a large scope.
  const { rows } = await sql`
    select from distribution_options
    where dist_commands & ${distributionCommands.Uninstall | distributionCommands.Reinstall}::integer <> 0
    union all select from package_supersedes where uninstalls_first limit 1`.execute(db)
  const removals = rows.length > 0 ? plannedRemovals(planned, await loadUnscheduledOptions(db)) : noRemovals
  const counted = await count(removals)
  return counted && listRemovalsOn(db, counted, removals)
}

/** Lists what the computers lose. Those that would lose something only since they were counted are left out. */
async function listRemovalsOn(
  db: Database,
  computerIds: readonly number[],
  removals: Removals,
): Promise<PlannedRemovals> {
  if (computerIds.length === 0) return { computerIds: [], packageIds: [] }
  const { rows } = await sql<PlannedRemovals>`
    select coalesce(array_agg(computer_id), '{}') as "computerIds", coalesce(array_agg(package_id), '{}') as "packageIds"
    from (${removals}) as planned where computer_id = any(${computerIds}::integer[])`.execute(db)
  return rows[0] ?? { computerIds: [], packageIds: [] }
}

type Removals = RawBuilder<{ computer_id: number; package_id: string }>

const noRemovals: Removals = sql`select computer_id, package_id from deployments where false`

function plannedRemovals({ scope, software, pxe, packageId }: PlannedPublication, options: DueOptions): Removals {
  const bits: WorkBit[] = [...(software ? (['software'] as const) : []), ...(pxe ? (['pxe'] as const) : [])]
  const ofBit = (bit: WorkBit) => sql`
    select computer_id, package_id from (${dueWork(bit, scope.computers, options, asIfPublished(scope, bit))}) as due
    where ${isRemoval('kind')} and ${packageId === null ? sql`true` : isForPackage(packageId)}`
  if (bits.length === 0) return noRemovals
  return sql`${sql.join(bits.map(ofBit), sql` union all `)}`
}

/** The activations through which the scope is published, as if they existed. */
export function asIfPublished({ memberships }: ActivationScope, bit: WorkBit): RawBuilder<unknown> {
  return sql`(select computer_id, group_id, true as ${sql.ref(bit)}, 1 as id from (${memberships}) as released)`
}
