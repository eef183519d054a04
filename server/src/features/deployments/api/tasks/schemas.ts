import {
  closed,
  enumOf,
  extensionKeyword,
  Id,
  Instant,
  Int32,
  nullable,
  pagedResultOf,
  Type,
  Uuid,
} from '../../../../platform/schema.ts'
import { cancelReasons } from '../../../work-states/cancel-reasons.ts'
import { workKinds, workStates } from '../../../work-states/work-states.ts'
import { preparationStates } from '../../activation/preparation.ts'
import { taskKinds } from '../../tasks.ts'
import { WorkTimeLine } from './time-line-schemas.ts'

export const TaskPath = closed({ trackingId: Uuid })

export type TaskStatus = 1 | 2 | 3

export const TaskStatus = Type.Unsafe<TaskStatus>({
  type: 'integer',
  enum: [1, 2, 3],
  format: 'int32',
  examples: [1],
  description: '1 Running, 2 Finished, 3 Failed',
})

const task = {
  trackingId: Uuid,
  type: enumOf(taskKinds, { title: 'TaskType', description: 'The request that created the task' }),
  status: TaskStatus,
  clientId: { ...nullable(Id), description: 'The computer; null for a task of a group' },
  hostname: nullable(Type.String({ examples: ['pc-0017'] })),
  groupId: { ...nullable(Uuid), description: 'The activated group, or the group with the assignment' },
  groupPath: {
    ...nullable(Type.String({ examples: ['Configuration/Berlin'] })),
    description: 'Beyond the contract: names of that group and of its ancestors',
  },
  packageId: nullable(Uuid),
  packageName: nullable(Type.String({ examples: ['Greeting'] })),
  createdAtUtc: Instant,
  finishedAtUtc: { ...nullable(Instant), description: 'Null while the task is running' },
  createdBy: {
    ...nullable(Type.String({ examples: ['client-5b1f0e2a9c'] })),
    description: 'Name of the principal whose request created the task; null if the service created it',
    [extensionKeyword]: true,
  },
  rolloutId: {
    ...nullable(Uuid),
    description: 'The rollout that released computers by this task',
    [extensionKeyword]: true,
  },
  rolloutName: {
    ...nullable(Type.String({ examples: ['PDF viewer 24.2'] })),
    description: 'Name of that rollout',
    [extensionKeyword]: true,
  },
}

export const Task = closed(task, { title: 'Task' })

export const TaskAction = closed(
  {
    workId: Type.Integer({ minimum: 1, examples: [1042] }),
    clientId: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    packageId: { ...nullable(Uuid), description: 'Null if the work concerns the computer as a whole' },
    packageName: nullable(Type.String({ examples: ['Greeting'] })),
    kind: enumOf(workKinds),
    state: enumOf(workStates, {
      description: 'Due: waiting for the agent. Leased: the agent has it',
    }),
    attempt: {
      ...Int32,
      minimum: 0,
      examples: [1],
      description: 'How many times the work item was leased to the agent',
    },
    createdAtUtc: Instant,
    closedAtUtc: nullable(Instant),
    nextContactUtc: {
      ...nullable(Instant),
      description:
        'When the next contact of the agent is expected, for work that waits for it. A time in the past means that the agent is late; null ' +
        'for other work, and without a contact',
      [extensionKeyword]: true,
    },
    connectedNow: {
      ...Type.Boolean({ examples: [true] }),
      description: 'True if the agent is connected, for work that waits for it: it is called for the work at once',
      [extensionKeyword]: true,
    },
    errorText: {
      ...nullable(Type.String({ examples: ['The command ended with 1603.'] })),
      description: 'Set if the work item failed',
    },
    cancelReason: {
      ...nullable(enumOf(cancelReasons)),
      description:
        'Why the work item was cancelled; null for other work, and for work cancelled before this was recorded',
      [extensionKeyword]: true,
    },
    cancelSubject: {
      ...nullable(Type.String({ examples: ['Tills'] })),
      description: 'The name of the group that the reason is about, as it was called then',
      [extensionKeyword]: true,
    },
  },
  { title: 'TaskAction' },
)

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', examples: [1], description })

const TaskPreparation = closed(
  {
    state: enumOf(preparationStates, {
      description: 'Cancelled: by a deactivation, or because the group was deleted. Failed: see the log of the service',
    }),
    computers: count('Computers of the request'),
    completed: count('Of these, those that have their work items'),
    withdrawn: count('Of these, those that get no work items, because they were deactivated first'),
  },
  { title: 'TaskPreparation' },
)

export const TaskDetails = closed(
  {
    ...task,
    total: count('Work items of all computers'),
    open: count('Of these, waiting or in progress'),
    succeeded: count('Of these, successful'),
    failed: count('Of these, permanently failed'),
    cancelled: count('Of these, cancelled'),
    preparation: {
      ...nullable(TaskPreparation),
      description: 'The progress of creating the work items; null if the request itself has created them',
      [extensionKeyword]: true,
    },
    actions: pagedResultOf(TaskAction),
    timeLine: Type.Optional(WorkTimeLine),
  },
  { title: 'TaskDetails' },
)

export const TaskRetry = closed(
  {
    trackingId: nullable({ ...Uuid, description: 'The new task; null if nothing of the failed work is due any more' }),
    computerCount: count('Computers with failed work'),
  },
  { title: 'TaskRetry' },
)
