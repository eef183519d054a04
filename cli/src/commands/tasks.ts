import type { components } from '@muster/client'
import { type Call, command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { followTask } from '../follow/follow-task.ts'
import { chooseOne } from '../names/choose.ts'
import { findComputer } from '../names/computers.ts'
import { findPackage } from '../names/packages.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Task = components['schemas']['Task']

const states = { 1: 'Running', 2: 'Finished', 3: 'Failed' } as const

const columns: readonly Column<Task>[] = [
  ['task', ({ trackingId }) => trackingId],
  ['type', ({ type }) => type],
  ['state', ({ status }) => states[status]],
  ['target', ({ hostname, groupPath }) => hostname ?? groupPath],
  ['package', ({ packageName }) => packageName],
  ['by', ({ createdBy }) => createdBy],
  ['created', ({ createdAtUtc }) => timeOf(createdAtUtc)],
  ['finished', ({ finishedAtUtc }) => timeOf(finishedAtUtc)],
]

export const tasks = command({
  name: 'tasks',
  summary: 'List tasks, or follow one until it has finished',
  arguments: [['[task]', 'The task, or the beginning of its id; with --watch the newest one by default']],
  options: [
    ['--watch', 'Show the progress of a task until it has finished; exit with 1 if something failed'],
    ['--running', 'Only tasks that have not finished'],
    ['--computer <name>', 'Only tasks of this computer', 'computer'],
    ['--package <name>', 'Only tasks about this package', 'package'],
    ['--limit <count>', 'List at most this many; 50 by default'],
  ],
  examples: [
    ['muster tasks --running', 'What is going on'],
    ['muster tasks --watch', 'Follows the newest task, and names what failed'],
  ],
  operations: ['listTasks', 'getTask', 'streamEvents', 'getComputer', 'searchComputers', 'listFleetPackages'],
  async run(call) {
    const { client, options, output, terminal } = call
    const list = client.pages('/api/tasks', { query: await queryOf(call) })
    const [beginning] = call.args
    if (!options.watch && beginning !== undefined) return output.rows(columns, [await findTask(list, beginning)])
    if (!options.watch) return output.rows(columns, limited(list, parseLimit(options.limit) ?? 50))
    const { trackingId } = await findTask(list, beginning)
    const task = await followTask(client, terminal, trackingId)
    output.result(task, `${task.type} finished: ${task.succeeded} succeeded.`)
  },
})

async function queryOf({ client, options }: Call) {
  const [computer, chosen] = await Promise.all([
    options.computer === undefined ? undefined : findComputer(client, String(options.computer)),
    options.package === undefined ? undefined : findPackage(client, String(options.package)),
  ])
  return {
    top: 100,
    ...(options.running === true && { status: 1 as const }),
    ...(computer && { clientId: computer.id }),
    ...(chosen && { packageId: chosen.id }),
  }
}

/** The beginning of an id is searched in this many tasks, the newest first. */
const searchedTasks = 1_000

/** The newest task, or the one whose id begins with the text. */
async function findTask(list: AsyncIterable<Task>, beginning: string | undefined): Promise<Task> {
  if (beginning === undefined) {
    for await (const task of list) return task
    throw new UsageError('There is no task.')
  }
  const found: Task[] = []
  for await (const task of limited(list, searchedTasks)) if (task.trackingId.startsWith(beginning)) found.push(task)
  return chooseOne(
    found,
    'task',
    beginning,
    ({ trackingId, type, hostname, groupPath }) => `${trackingId}  ${type} ${hostname ?? groupPath ?? ''}`,
  )
}
