import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { TaskStatus, taskTypes } from './api/tasks/schemas.ts'

// Each is answered by the first entry that a partial index has for the task, however much work belongs to it.
const isOpen = sql<boolean>`
  exists (select from work where work.task_id = tasks.id and work.state in ('Due', 'Leased') offset 0)`
const hasFailed = sql<boolean>`
  exists (select from work where work.task_id = tasks.id and work.state = 'Failed' offset 0)`

/** Whether the task runs, is finished or has failed. `offset 0` keeps the planner from reading all work of all tasks. */
export const taskStatus: RawBuilder<TaskStatus> = sql<TaskStatus>`
  case when ${isOpen} then 1 when ${hasFailed} then 3 else 2 end`

/** A task that made no work is finished at once. */
const finishedAt = sql<Date | null>`
  case when not ${isOpen} then coalesce((
    select work.closed_at from work where work.task_id = tasks.id and work.closed_at is not null
    order by work.closed_at desc limit 1), tasks.created_at) end`

/** Tasks as the API shows them. */
export function taskRows(db: Database) {
  return db
    .selectFrom('tasks')
    .leftJoin('computers', 'computers.id', 'tasks.computer_id')
    .leftJoin('packages', 'packages.id', 'tasks.package_id')
    .select([
      'tasks.id as trackingId',
      sql<(typeof taskTypes)[number]>`tasks.kind`.as('type'),
      taskStatus.as('status'),
      'tasks.computer_id as clientId',
      'computers.name as hostname',
      'tasks.group_id as groupId',
      'tasks.package_id as packageId',
      'packages.name as packageName',
      'tasks.created_at as createdAtUtc',
      finishedAt.as('finishedAtUtc'),
    ])
}
