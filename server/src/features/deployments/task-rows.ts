import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { offerFlag } from '../distribution/commands.ts'
import { hasFailedPreparation, isBeingPrepared, preparedAt } from './activation/preparation.ts'
import type { TaskStatus } from './api/tasks/schemas.ts'
import type { TaskKind } from './tasks.ts'

// A single entry of a partial index answers each of these, however much work belongs to the task. `offset 0` keeps the
// planner from reading all work of all tasks.
const hasOpenWork = sql<boolean>`
  exists (select from work where work.task_id = tasks.id and work.closed_at is null and ${offerFlag('work')} = 0 offset 0)`
const hasFailedWork = sql<boolean>`
  exists (select from work where work.task_id = tasks.id and work.state = 'Failed' offset 0)`

/** Whether the row of `tasks` has open work other than offers, or work is still being created. */
export const isRunningTask = sql<boolean>`(${isBeingPrepared} or ${hasOpenWork})`
const hasFailed = sql<boolean>`(${hasFailedPreparation} or ${hasFailedWork})`

/** The status of the row of `tasks`. */
export const taskStatus: RawBuilder<TaskStatus> = sql<TaskStatus>`
  case when ${isRunningTask} then 1 when ${hasFailed} then 3 else 2 end`

/** A task without work is finished when it is created, or when it is known that no work is due. */
const finishedAt = sql<Date | null>`
  case when not ${isRunningTask} then coalesce(greatest((
    select work.closed_at from work where work.task_id = tasks.id and work.closed_at is not null
    order by work.closed_at desc limit 1), ${preparedAt}), tasks.created_at) end`

/** Selects tasks in the shape of the API. */
export function taskRows(db: Database) {
  return db
    .selectFrom('tasks')
    .leftJoin('computers', 'computers.id', 'tasks.computer_id')
    .leftJoin('packages', 'packages.id', 'tasks.package_id')
    .leftJoin('groups', 'groups.id', 'tasks.group_id')
    .leftJoin('rollouts', 'rollouts.id', 'tasks.rollout_id')
    .select([
      'tasks.id as trackingId',
      sql<TaskKind>`tasks.kind`.as('type'),
      taskStatus.as('status'),
      'tasks.computer_id as clientId',
      'computers.name as hostname',
      'tasks.group_id as groupId',
      'groups.path as groupPath',
      'tasks.package_id as packageId',
      'packages.name as packageName',
      'tasks.created_at as createdAtUtc',
      finishedAt.as('finishedAtUtc'),
      'tasks.created_by as createdBy',
      'rollouts.id as rolloutId',
      'rollouts.name as rolloutName',
    ])
}
