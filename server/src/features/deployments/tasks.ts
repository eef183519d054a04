import type { Database } from '../../database/connect.ts'

export type TaskKind = 'Activation' | 'Uninstall' | 'Reinstall' | 'Rescan' | 'Reboot' | 'Remediation'

export type NewTask = { kind: TaskKind; computerId?: number; groupId?: string; packageId?: string }

/** Opens the task to which the work of one trigger belongs. */
export async function openTask(db: Database, task: NewTask): Promise<string> {
  const { id } = await db
    .insertInto('tasks')
    .values({
      kind: task.kind,
      computer_id: task.computerId ?? null,
      group_id: task.groupId ?? null,
      package_id: task.packageId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
