import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isFrozen } from '../../blast-radius/freeze.ts'
import type { PowerSettings } from '../power-settings.ts'
import type { ActivationBits } from './activation-scope.ts'
import { lockScope, pinGroupsOfScope, sliceScope } from './activation-scope.ts'
import { publishAssignments } from './publish-assignments.ts'
import { loadReachableOptions } from './reachable-options.ts'
import { isWithinLimits } from './stored-limits.ts'

/** What an accepted activation asks for. */
export type SlicedActivation = ActivationBits & {
  taskId: string
  /** Null if the group was deleted in the meantime. */
  groupId: string | null
  isGlobal: boolean
  wakeAt: Date | null
  powerAction: PowerSettings['action'] | null
  timeoutMinutes: number | null
  reminderMinutes: number | null
  userDeadline: PowerSettings['userDeadline']
}

export const slicedActivationColumns = sql<SlicedActivation>`
  sliced.task_id as "taskId", tasks.group_id as "groupId", sliced.software, sliced.pxe, sliced.pull,
  sliced.is_global as "isGlobal", sliced.wake_at as "wakeAt", sliced.power_action as "powerAction",
  sliced.timeout_minutes as "timeoutMinutes", sliced.reminder_minutes as "reminderMinutes",
  sliced.user_deadline as "userDeadline"`

/**
 * Locks the sliced activation that was requested first, with its next computers. Returns undefined if there is none, if
 * somebody else has locked it, or while the installation is frozen.
 */
export async function lockNextSlice(db: Database, maxComputers: number) {
  const { rows } = await sql<SlicedActivation & { computerIds: number[] }>`
    select ${slicedActivationColumns},
      sliced.computer_ids[sliced.completed_count + 1:sliced.completed_count + ${maxComputers}::integer] as "computerIds"
    from sliced_activations sliced join tasks on tasks.id = sliced.task_id
    where sliced.finished_at is null and not ${isFrozen} and sliced.task_id = (
      select task_id from sliced_activations where finished_at is null order by requested_at, task_id limit 1)
    for update of sliced skip locked`.execute(db)
  return rows[0]
}

/** Creates the work of some computers of a sliced activation. The caller has locked the activation. */
export async function publishSlice(
  db: Database,
  activation: SlicedActivation & { groupId: string },
  computerIds: readonly number[],
): Promise<void> {
  const { taskId, groupId, isGlobal, software, pxe, pull, wakeAt, powerAction: action } = activation
  const scope = sliceScope(groupId, isGlobal, computerIds)
  await pinGroupsOfScope(db, scope)
  const { now } = await lockScope(db, scope)
  const options = await loadReachableOptions(db, scope.computers, now)
  const { timeoutMinutes, reminderMinutes, userDeadline } = activation
  const srl = action && {
    action,
    timeoutMinutes: timeoutMinutes ?? 0,
    reminderMinutes: reminderMinutes ?? 0,
    userDeadline,
  }
  await publishAssignments(db, {
    ...{ scope, software, pxe, pull, srl, wakeAt, options, taskId },
    classification: 'Activation',
    allBoot: false,
    within: isWithinLimits(sql`sliced_activations where task_id = ${taskId}`),
  })
}

export type SliceProgress = {
  /** How many computers have got their work. */
  completed: number
  /** How many computers were withdrawn. */
  withdrawn: number
  /** The computers of the activation from now on, as an expression. */
  computerIds: RawBuilder<number[]>
  /** The result of the activation if no computer is left. */
  lastResult: 'Completed' | 'Cancelled'
}

/** Records that the next computers have their work. After the last ones the activation is complete. */
export async function recordSlice(db: Database, taskId: string, completed: number): Promise<void> {
  const computerIds = sql<number[]>`computer_ids`
  await recordSliceProgress(db, taskId, { completed, withdrawn: 0, computerIds, lastResult: 'Completed' })
}

/** One statement: a second update of the row would check its reference and lock the task, out of the lock order. */
export async function recordSliceProgress(
  db: Database,
  taskId: string,
  { completed, withdrawn, computerIds, lastResult }: SliceProgress,
): Promise<void> {
  const isLast = sql`completed_count + withdrawn_count + ${completed + withdrawn}::integer = computer_count`
  await sql`
    update sliced_activations set
      completed_count = completed_count + ${completed}::integer, withdrawn_count = withdrawn_count + ${withdrawn}::integer,
      failures = 0, computer_ids = case when ${isLast} then '{}' else ${computerIds} end,
      finished_at = case when ${isLast} then now() end, result = case when ${isLast} then ${lastResult} end
    where task_id = ${taskId}`.execute(db)
}

/** Ends the activation before its last computers have their work. */
export async function endSlicedActivation(db: Database, taskId: string, result: 'Cancelled' | 'Failed'): Promise<void> {
  await sql`
    update sliced_activations set computer_ids = '{}', withdrawn_count = computer_count - completed_count,
      finished_at = now(), result = ${result}
    where task_id = ${taskId}`.execute(db)
}
