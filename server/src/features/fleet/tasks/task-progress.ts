import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { taskRows } from '../../deployments/task-rows.ts'
import { changesOfTasks } from '../../deployments/time-line/work-counts.ts'

type Progress = { taskId: string; open: number; succeeded: number; failed: number; cancelled: number }

/** Reads tasks with the kept counts of their work items. */
export async function listTasksWithProgress(db: Database, ids: readonly string[]) {
  const tasks = await taskRows(db).where('tasks.id', '=', sql<string>`any (${ids}::uuid[])`).execute()
  const { rows } = await sql<Progress>`
    select task.id as "taskId", coalesce(sum(due + leased), 0)::integer as open,
      coalesce(sum(success), 0)::integer as succeeded, coalesce(sum(failed), 0)::integer as failed,
      coalesce(sum(cancelled), 0)::integer as cancelled
    from unnest(${ids}::uuid[]) as task (id)
      cross join lateral (${changesOfTasks(sql<{ id: string }>`select task.id`)}) as change
    group by task.id`.execute(db)
  const progressOf = new Map(rows.map(({ taskId, ...progress }) => [taskId, progress]))
  const none = { open: 0, succeeded: 0, failed: 0, cancelled: 0 }
  return tasks.map((task) => {
    const progress = progressOf.get(task.trackingId) ?? none
    const total = Object.values(progress).reduce((sum, count) => sum + count, 0)
    return { ...task, ...progress, total }
  })
}
