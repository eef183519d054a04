import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { enumOf, Type, Uuid } from '../../../platform/schema.ts'
import { isRunningTask, taskStatus } from '../../deployments/task-rows.ts'
import { taskKinds } from '../../deployments/tasks.ts'

/** A rollout that catches up is running. A task is never paused; it is cancelled by cancelling its work. */
export const timelineStates = ['Running', 'Paused', 'Finished', 'Failed', 'Cancelled'] as const

export type TimelineState = (typeof timelineStates)[number]

export const timelineKinds = ['Rollout', ...taskKinds] as const

export type TimelineKind = (typeof timelineKinds)[number]

/** The query parameters that select rollouts and tasks. A repeated parameter selects those with any of its values. */
export const timelineFilters = {
  state: Type.Optional(
    Type.Array(enumOf(timelineStates), { maxItems: 5, examples: [['Running', 'Paused']], description: 'States' }),
  ),
  kind: Type.Optional(
    Type.Array(enumOf(timelineKinds), {
      maxItems: timelineKinds.length,
      examples: [['Rollout']],
      description: 'Rollouts or kinds of tasks',
    }),
  ),
  groupId: Type.Optional({ ...Uuid, description: 'Only those of this group or of a group below it' }),
  singleComputers: Type.Optional(
    Type.Boolean({
      examples: [false],
      description: 'False: no tasks of single computers, of which there can be very many. True: only those.',
    }),
  ),
  mine: Type.Optional(
    Type.Boolean({ default: false, examples: [false], description: 'True: only those that the caller has created' }),
  ),
}

export type TimelineFilter = {
  state?: TimelineState[]
  kind?: TimelineKind[]
  groupId?: string
  singleComputers?: boolean
  creatorId?: number
}

type Entry = { createdAtUtc: Date; id: string; isRollout: boolean }

const stateOfRollout = sql<TimelineState>`case rollouts.state
  when 'Completed' then 'Finished' when 'CatchingUp' then 'Running' else rollouts.state end`

const stateOfTask = sql<TimelineState>`case ${taskStatus} when 1 then 'Running' when 3 then 'Failed' else 'Finished' end`

/**
 * Selects the keys of rollouts and tasks. The tasks of a rollout are left out: they are its releases. Whether a task is
 * running is looked up only for those that may be: the table of unfinished tasks contains all of them, and some that have
 * just ended.
 */
export function timelineEntries(db: Database, filter: TimelineFilter) {
  const entries = sql<Entry>`
    select rollouts.created_at as "createdAtUtc", rollouts.id, true as "isRollout"
    from rollouts where ${conditionsOf('rollouts', filter)} and ${stateOf(filter, stateOfRollout)}
    union all
    select tasks.created_at, tasks.id, false
    from tasks where tasks.rollout_id is null and ${conditionsOf('tasks', filter)} and ${taskStateOf(filter)}`
  return db
    .selectFrom(sql<Entry>`(${entries})`.as('entry'))
    .select(['entry.createdAtUtc', 'entry.id', 'entry.isRollout'])
}

function conditionsOf(table: 'rollouts' | 'tasks', filter: TimelineFilter): RawBuilder<boolean> {
  const { kind, groupId, singleComputers, creatorId } = filter
  const kindOf = table === 'rollouts' ? sql`'Rollout'` : sql`tasks.kind`
  const isOfOne = table === 'rollouts' ? sql`false` : sql`(tasks.computer_id is not null)`
  const conditions = [
    ...(singleComputers === undefined ? [] : [sql`${isOfOne} = ${singleComputers}`]),
    ...(kind ? [sql`${kindOf} = any (${kind}::text[])`] : []),
    ...(creatorId === undefined ? [] : [sql`${sql.ref(`${table}.created_by_id`)} = ${creatorId}`]),
    ...(groupId
      ? [
          sql`${sql.ref(`${table}.group_id`)} in (
            select descendant_id from group_ancestors where ancestor_id = ${groupId}::uuid)`,
        ]
      : []),
  ]
  return sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

const stateOf = ({ state }: TimelineFilter, of: RawBuilder<TimelineState>) =>
  state ? sql<boolean>`${of} = any (${state}::text[])` : sql<boolean>`true`

function taskStateOf(filter: TimelineFilter): RawBuilder<boolean> {
  const { state } = filter
  if (!state) return sql<boolean>`true`
  const isRunning = sql<boolean>`(tasks.id in (select task_id from unfinished_tasks) and ${isRunningTask})`
  const ended = state.filter((one) => one === 'Finished' || one === 'Failed')
  if (ended.length === 0) return state.includes('Running') ? isRunning : sql<boolean>`false`
  if (ended.length === 2) return state.includes('Running') ? sql<boolean>`true` : sql<boolean>`not ${isRunning}`
  return stateOf(filter, stateOfTask)
}
