import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** Selects the ids of tasks, for example those of one rollout. */
export type TaskIds = RawBuilder<{ id: string }>

/** How many work items are in each state. */
export type WorkCounts = { due: number; leased: number; succeeded: number; failed: number; cancelled: number }

export const oneTask = (id: string): TaskIds => sql<{ id: string }>`select ${id}::uuid as id`

const changesIn = (table: 'task_counts' | 'task_count_changes', tasks: TaskIds) => sql`
  select minute, due, leased, success, failed, cancelled from ${sql.table(table)} where task_id in (${tasks})`

/**
 * By how many work items of the tasks each state grew or shrank, with the minute. Changes that were not added up yet are
 * rows of their own.
 */
export function countChanges(tasks: TaskIds): RawBuilder<unknown> {
  return sql`${changesIn('task_counts', tasks)} union all ${changesIn('task_count_changes', tasks)}`
}

/** Counts the work of tasks by its state, without reading the work. */
export async function countWorkByState(db: Database, tasks: TaskIds): Promise<WorkCounts> {
  const { rows } = await sql<WorkCounts>`
    select coalesce(sum(due), 0)::integer as due, coalesce(sum(leased), 0)::integer as leased,
      coalesce(sum(success), 0)::integer as succeeded, coalesce(sum(failed), 0)::integer as failed,
      coalesce(sum(cancelled), 0)::integer as cancelled
    from (${countChanges(tasks)}) as change`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('A sum without a group has one row.')
  return counts
}
