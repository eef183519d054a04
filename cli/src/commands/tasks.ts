import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { followTask } from '../follow/follow-task.ts'
import { chooseOne } from '../names/choose.ts'
import { findComputer } from '../names/computers.ts'
import { findPackage } from '../names/packages.ts'
import { formatCount } from '../output/counts.ts'
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
  summary: 'List tasks, follow one until it has finished, or retry what has failed in it',
  arguments: [['[task]', 'The task, or the beginning of its id; with --watch the newest one by default']],
  options: [
    ['--retry', 'Create the failed work of a task again where it is still due; with --watch, follow that'],
    ['--watch', 'Show the progress of a task until it has finished; exit with 1 if something failed'],
    ['--running', 'Only tasks that have not finished'],
    ['--computer <name>', 'Only tasks of this computer', 'computer'],
    ['--package <name>', 'Only tasks about this package', 'package'],
    ['--limit <count>', 'List at most this many; 50 by default'],
    expectOption,
    dryRunOption,
  ],
  examples: [
    ['muster tasks --running', 'What is going on'],
    ['muster tasks --watch', 'Follows the newest task, and names what failed'],
    ['muster tasks 3f0c9a52 --retry --dry-run', 'On how many computers it would be retried'],
  ],
  operations: [
    ...(['listTasks', 'getTask', 'retryTask', 'streamEvents'] as const),
    ...(['getComputer', 'searchComputers', 'listFleetPackages'] as const),
  ],
  async run(call) {
    const { client, options, output, terminal } = call
    const [beginning] = call.args
    const isChange = options.dryRun === true || options.expect !== undefined
    if (isChange && !options.retry) throw new UsageError('--expect and --dry-run are for --retry.')
    if (options.retry && beginning === undefined) throw new UsageError('Name the task to retry.')
    const list = client.pages('/api/tasks', { query: await queryOf(call) })
    if (options.retry) return retry(call, await findTask(list, beginning))
    if (!options.watch && beginning !== undefined) return output.rows(columns, [await findTask(list, beginning)])
    if (!options.watch) return output.rows(columns, limited(list, parseLimit(options.limit) ?? 50))
    const { trackingId } = await findTask(list, beginning)
    const task = await followTask(client, terminal, trackingId)
    output.result(task, `${task.type} finished: ${task.succeeded} succeeded.`)
  },
})

async function retry({ client, options, output, terminal }: Call, { trackingId: id }: Task): Promise<void> {
  const answer = await answerOf(
    client.POST('/api/tasks/{trackingId}/retry', {
      params: { path: { trackingId: id }, query: changeQuery(options) },
    }),
  )
  const { computerCount, trackingId } = answer
  const effect = options.dryRun ? 'would be retried' : 'is retried'
  const task = trackingId && !options.dryRun ? `: task ${trackingId}` : ''
  output.result(answer, `What failed on ${formatCount(computerCount, 'computer')} ${effect}${task}.`)
  if (options.watch && !options.dryRun && trackingId) await followTask(client, terminal, trackingId)
}

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
