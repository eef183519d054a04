import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { ActivationBits, Deactivation } from './activation-scope.ts'
import { type ActivationScope, listMembers } from './activation-scope.ts'
import {
  publishSlice,
  recordSliceProgress,
  type SlicedActivation,
  slicedActivationColumns,
} from './sliced-activations.ts'

/** A sliced activation with those computers of a scope that still wait for their work. */
export type WaitingSlice = SlicedActivation & { computerIds: number[] }

/**
 * Locks the sliced activations that have not yet created the work of some computers of the scope. They are locked before
 * all other rows, so every deactivation begins with this.
 */
export async function lockWaitingSlices(db: Database, { computers }: ActivationScope): Promise<WaitingSlice[]> {
  const waiting = sql`
    select waiting.id from unnest(sliced.computer_ids[sliced.completed_count + 1:]) as waiting (id)
    where waiting.id in (${computers})`
  const { rows } = await sql<WaitingSlice>`
    select ${slicedActivationColumns}, array(${waiting}) as "computerIds"
    from sliced_activations sliced join tasks on tasks.id = sliced.task_id
    where sliced.finished_at is null and exists (${waiting})
    order by sliced.requested_at, sliced.task_id
    for update of sliced`.execute(db)
  return rows
}

/**
 * Makes a deactivation have the effect that it would have if the activations that were requested before it were complete.
 * Computers that would lose all that such an activation publishes are withdrawn from it. For the others, it creates the
 * work first. The caller has locked the scope.
 */
export async function withdrawComputers(
  db: Database,
  slices: readonly WaitingSlice[],
  deactivation: Deactivation,
): Promise<void> {
  for (const slice of slices)
    if (clearsAll(deactivation, slice) || slice.groupId === null) await withdraw(db, slice)
    else await completeEarly(db, { ...slice, groupId: slice.groupId })
}

function clearsAll({ scope, ...cleared }: Deactivation, slice: SlicedActivation): boolean {
  const bits: (keyof ActivationBits)[] = ['software', 'pxe', 'pull']
  return (scope.isGlobal || !slice.isGlobal) && bits.every((bit) => cleared[bit] || !slice[bit])
}

async function withdraw(db: Database, { taskId, computerIds }: WaitingSlice): Promise<void> {
  await recordSliceProgress(db, taskId, {
    completed: 0,
    withdrawn: computerIds.length,
    computerIds: sql`computer_ids[1:completed_count] || ${othersWaiting(computerIds)}`,
    lastResult: 'Cancelled',
  })
}

async function completeEarly(db: Database, slice: WaitingSlice & { groupId: string }): Promise<void> {
  const { taskId, groupId, computerIds } = slice
  await publishSlice(db, slice, await listMembers(db, groupId, computerIds))
  await recordSliceProgress(db, taskId, {
    completed: computerIds.length,
    withdrawn: 0,
    computerIds: sql`computer_ids[1:completed_count] || ${computerIds}::integer[] || ${othersWaiting(computerIds)}`,
    lastResult: 'Completed',
  })
}

/** The computers of a row of `sliced_activations` that wait for their work, without some of them. */
const othersWaiting = (computerIds: readonly number[]) => sql`array(
  select waiting.id from unnest(computer_ids[completed_count + 1:]) with ordinality as waiting (id, place)
  where waiting.id not in (select unnest(${computerIds}::integer[])) order by place)`
