import { closed, Id, Int32, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { count, coveredComputers, data, list, name, optionalName, optionalUuid } from '../data-schemas.ts'
import { eventType } from '../event-type.ts'

const role = 'computer.read'

const WorkItemOfEvent = closed(
  {
    workId: Type.Integer({ minimum: 1, examples: [4711] }),
    kind: name('Install'),
    packageId: optionalUuid(),
    packageName: optionalName('Example Editor'),
    attempt: { ...Int32, minimum: 0, examples: [1], description: 'How often the item was handed out' },
    progress: Type.Optional(nullable({ ...Int32, minimum: 0, examples: [40], description: 'In percent' })),
  },
  { title: 'WorkItemOfEvent' },
)

const workItems = {
  ...coveredComputers,
  workItems: count('How many work items the event covers', 3),
  taskId: Uuid,
  items: Type.Optional(
    Type.Array(WorkItemOfEvent, { description: 'The work items, if the event covers one computer' }),
  ),
  kind: Type.Optional({ ...name('Install'), description: 'Set if the event covers many computers' }),
  packageId: optionalUuid('Set if the event covers many computers'),
  packageName: optionalName('Example Editor'),
  list: Type.Optional(list('/api/tasks/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11')),
}

const summaries = {
  due: 'Work items wait for their agents: they are new, or an attempt failed or was postponed and is repeated',
  leased: 'Agents have taken work items',
  progress: 'Agents have reported progress of work items',
  succeeded: 'Work items were carried out',
  failed: 'Work items failed for good',
  abandoned: 'Work items failed because no agent reported their result',
  cancelled: 'Work items were cancelled',
} as const

const task = {
  taskId: Uuid,
  kind: name('Activation'),
  computerId: nullable(Id),
  groupId: nullable(Uuid),
  packageId: nullable(Uuid),
}

export const workEvents = [
  ...Object.entries(summaries).map(([state, summary]) =>
    eventType({
      type: `muster.work.${state as keyof typeof summaries}`,
      summary,
      role,
      subject: 'The computer, or the task if the event covers many computers',
      data: data(`Work${state.charAt(0).toUpperCase()}${state.slice(1)}`, workItems),
    }),
  ),
  eventType({
    type: 'muster.task.created',
    summary: 'A task was created',
    role,
    subject: 'The task',
    data: data('TaskCreated', task),
  }),
  eventType({
    type: 'muster.task.finished',
    summary: 'No work item of a task is open any longer',
    role,
    subject: 'The task',
    data: data('TaskFinished', {
      ...task,
      workItems: closed(
        {
          succeeded: count('Work items that were carried out', 98),
          failed: count('Work items that failed', 2),
          cancelled: count('Work items that were cancelled', 0),
        },
        { title: 'TaskResults' },
      ),
    }),
  }),
] as const
