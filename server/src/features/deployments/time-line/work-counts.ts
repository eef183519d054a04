import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { changesWhere } from '../../work-states/task-changes.ts'

/** Selects the ids of tasks, for example those of one rollout. */
export type TaskIds = RawBuilder<{ id: string }>

/** How many work items are in each state. */
export type WorkCounts = { due: number; leased: number; succeeded: number; failed: number; cancelled: number }

export const oneTask = (id: string): TaskIds => sql<{ id: string }>`select ${id}::uuid as id`

export const changesOfTasks = (tasks: TaskIds) => changesWhere(sql<boolean>`task_id in (${tasks})`)

const sums = sql`
  coalesce(sum(due), 0)::integer as due, coalesce(sum(leased), 0)::integer as leased,
  coalesce(sum(success), 0)::integer as succeeded, coalesce(sum(failed), 0)::integer as failed,
  coalesce(sum(cancelled), 0)::integer as cancelled`

/** Counts the work of each task by its state, without reading the work. A task without work is not in the result. */
export async function countWorkOfTasks(db: Database, ids: readonly string[]): Promise<Map<string, WorkCounts>> {
  if (ids.length === 0) return new Map()
  const changes = changesWhere(sql<boolean>`task_id = any (${ids}::uuid[])`)
  const { rows } = await sql<WorkCounts & { taskId: string }>`
    select task_id as "taskId", ${sums} from (${changes}) as change group by task_id`.execute(db)
  return new Map(rows.map(({ taskId, ...counts }) => [taskId, counts]))
}

/** Counts the work of tasks by its state, without reading the work. */
export async function countWorkByState(db: Database, tasks: TaskIds): Promise<WorkCounts> {
  const { rows } = await sql<WorkCounts>`
    select ${sums} from (${changesOfTasks(tasks)}) as change`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('A sum without a group has one row.')
  return counts
}
