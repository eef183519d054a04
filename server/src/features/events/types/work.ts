import { closed, Id, Instant, Int32, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { computer, count, coveredComputers, data, list, name, optionalName, optionalUuid } from '../data-schemas.ts'
import { type EventSource, expression, numberOfRows, one, pathOf, source, utc } from '../event-source.ts'
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

const item = {
  workId: 'id',
  kind: 'kind',
  packageId: 'package_id',
  packageName: 'packages.name',
  attempt: 'attempt',
} as const

/** Few work items: one event for each computer and task. Many: one for each task, package and kind. */
const ofComputerAndTask = {
  table: 'work',
  join: { computers: 'computer_id' },
  optionalJoin: { packages: 'package_id' },
  groupBy: ['computer_id', 'task_id'],
  subject: pathOf('getComputer', 'computer_id'),
  computer: 'computer_id',
  data: {
    computers: one,
    workItems: numberOfRows,
    computerId: 'computer_id',
    computerName: 'computers.name',
    taskId: 'task_id',
    items: { list: item, orderBy: ['row.id'] },
  },
} as const

const ofTaskAndPackage = {
  groupBy: ['task_id', 'kind', 'package_id'],
  orderBy: ['row.kind', 'packages.name'],
  subject: pathOf('getTask', 'task_id'),
  data: {
    computers: expression('count(distinct row.computer_id)'),
    workItems: numberOfRows,
    taskId: 'task_id',
    kind: 'kind',
    packageId: 'package_id',
    packageName: 'packages.name',
    list: pathOf('getTask', 'task_id'),
  },
} as const

const newWork = source({
  ...ofComputerAndTask,
  on: 'insert',
  orderBy: ['row.computer_id'],
  // A computer has one open work item of a package, so the items are as many as the computers.
  many: { ...ofTaskAndPackage, data: { ...ofTaskAndPackage.data, computers: numberOfRows } },
})

const changedWork = (when: string) =>
  source({
    ...ofComputerAndTask,
    on: 'update',
    key: ['id'],
    when,
    orderBy: ['row.computer_id', 'min(row.id)'],
    data: {
      ...ofComputerAndTask.data,
      items: { list: { ...item, progress: 'progress' }, orderBy: ['row.id'] },
    },
    many: ofTaskAndPackage,
  })

const becomes = (state: string) => changedWork(`row.state = '${state}' and before.state <> row.state`)

/** An item that fails while an agent has it was abandoned: the agent has not reported its result. */
const isAbandoned = `(before.state = 'Leased' and row.run_id is not null)`

type State = { summary: string; sources: EventSource[] }

const states = {
  due: {
    summary: 'Work items wait for their agents: they are new, or an attempt failed or was postponed and is repeated',
    sources: [newWork, becomes('Due')],
  },
  leased: {
    summary: 'Agents have taken work items',
    // The renewal of a lease is not an event.
    sources: [changedWork(`row.state = 'Leased' and (before.state <> 'Leased' or row.attempt <> before.attempt)`)],
  },
  progress: {
    summary: 'Agents have reported progress of work items',
    sources: [
      changedWork(
        `row.state = 'Leased' and before.state = 'Leased' and row.attempt = before.attempt and row.progress is distinct from before.progress`,
      ),
    ],
  },
  succeeded: { summary: 'Work items were carried out', sources: [becomes('Success')] },
  failed: {
    summary: 'Work items failed for good',
    sources: [changedWork(`row.state = 'Failed' and before.state <> 'Failed' and not ${isAbandoned}`)],
  },
  abandoned: {
    summary: 'Work items failed because no agent reported their result',
    sources: [changedWork(`row.state = 'Failed' and ${isAbandoned}`)],
  },
  cancelled: { summary: 'Work items were cancelled', sources: [becomes('Cancelled')] },
} as const satisfies Record<string, State>

const choice = source({
  table: 'work_choices',
  on: 'insert',
  join: { computers: 'computer_id', work: 'work_id' },
  orderBy: ['row.id'],
  subject: pathOf('getComputer', 'computer_id'),
  computer: 'computer_id',
  data: {
    computerId: 'computer_id',
    computerName: 'computers.name',
    workId: 'work_id',
    kind: 'work.kind',
    packageId: 'work.package_id',
    packageName: expression('(select packages.name from packages where packages.id = work.package_id)'),
    powerAction: 'work.power_action',
    choice: 'choice',
    user: 'user_name',
    programs: 'programs',
    chosenAtUtc: utc('chosen_at'),
  },
})

const task = {
  taskId: Uuid,
  kind: name('Activation'),
  computerId: nullable(Id),
  groupId: nullable(Uuid),
  packageId: nullable(Uuid),
}

const newTask = source({
  table: 'tasks',
  on: 'insert',
  subject: pathOf('getTask', 'id'),
  computer: 'computer_id',
  data: { taskId: 'id', kind: 'kind', computerId: 'computer_id', groupId: 'group_id', packageId: 'package_id' },
})

/** A task that is deleted leaves no event: its row is gone. */
const finishedTask = source({
  table: 'unfinished_tasks',
  on: 'delete',
  join: { tasks: 'task_id' },
  subject: pathOf('getTask', 'task_id'),
  computer: 'tasks.computer_id',
  data: {
    taskId: 'task_id',
    kind: 'tasks.kind',
    computerId: 'tasks.computer_id',
    groupId: 'tasks.group_id',
    packageId: 'tasks.package_id',
    workItems: expression(`(
      select jsonb_build_object('succeeded', count(*) filter (where state = 'Success'),
        'failed', count(*) filter (where state = 'Failed'), 'cancelled', count(*) filter (where state = 'Cancelled'))
      from work where work.task_id = row.task_id)`),
  },
})

export const workEvents = [
  ...Object.entries<State>(states).map(([state, { summary, sources }]) =>
    eventType({
      type: `muster.work.${state as keyof typeof states}`,
      summary,
      role,
      subject: 'The computer, or the task if the event covers many computers',
      data: data(`Work${state.charAt(0).toUpperCase()}${state.slice(1)}`, workItems),
      sources,
    }),
  ),
  eventType({
    type: 'muster.work.choice',
    summary: 'The person at a computer answered about work with a deadline, or the work waits for the person',
    role,
    subject: 'The computer',
    data: data('WorkChoice', {
      ...computer,
      workId: Type.Integer({ minimum: 1, examples: [4711] }),
      kind: name('Install'),
      packageId: optionalUuid(),
      packageName: optionalName('Example Editor'),
      powerAction: optionalName('Shutdown', 'What the computer does; null for packages'),
      choice: name('Later', 'What was chosen, or why the work waits'),
      user: optionalName('mia', 'Who was asked'),
      programs: Type.Array(name('soffice.bin'), { maxItems: 20, description: 'Programs that were open, or closed' }),
      chosenAtUtc: { ...Instant, description: 'By the clock of the computer' },
    }),
    sources: [choice],
  }),
  eventType({
    type: 'muster.task.created',
    summary: 'A task was created',
    role,
    subject: 'The task',
    data: data('TaskCreated', task),
    sources: [newTask],
  }),
  eventType({
    type: 'muster.task.finished',
    summary: 'No work item of a task is open any longer, other than as an offer',
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
    sources: [finishedTask],
  }),
] as const
