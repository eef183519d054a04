import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export const taskKinds = ['Activation', 'Uninstall', 'Reinstall', 'Rescan', 'Reboot', 'Remediation', 'Trial'] as const

export type TaskKind = (typeof taskKinds)[number]

/** The principal who requested something. Names are shown; only ids are unique. */
export type Creator = { id: number; name: string }

/** A part of the service that acts by a setting of people. Tasks show its name. */
export type ServiceCreator = { id: null; name: string }

export type NewTask = {
  kind: TaskKind
  computerId?: number
  groupId?: string
  packageId?: string
  rolloutId?: string
  /** Nobody if the service does it by itself. */
  createdBy?: Creator | ServiceCreator
}

/** Inserts the task to which the work of one request belongs, and returns its id. */
export async function insertTask(db: Database, task: NewTask): Promise<string> {
  const { id } = await db
    .insertInto('tasks')
    .values({
      kind: task.kind,
      computer_id: task.computerId ?? null,
      group_id: task.groupId ?? null,
      package_id: task.packageId ?? null,
      rollout_id: task.rolloutId ?? null,
      created_by: task.createdBy?.name ?? null,
      created_by_id: task.createdBy?.id ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes a task to which no work belongs. Returns whether it did. */
export async function deleteTaskIfEmpty(db: Database, taskId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tasks')
    .where('id', '=', taskId)
    .where(sql<boolean>`not exists (select from work where task_id = ${taskId})`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
