import { answerOf, type components, type MusterClient } from '@muster/client'
import { CommandFailure } from '../errors.ts'
import { formatCount } from '../output/counts.ts'
import { progressOn } from '../output/progress.ts'
import type { Terminal } from '../terminal.ts'
import { checkOnEvents } from './watch.ts'

type Task = components['schemas']['TaskDetails']
type Action = components['schemas']['TaskAction']

/** Statuses of a task; the third one is that it has finished. */
const runningStatus = 1
const failedStatus = 3
const maxNamed = 20

/** Shows the progress of a task until it has finished. It fails if work of the task has failed, and names it. */
export async function followTask(client: MusterClient, terminal: Terminal, trackingId: string): Promise<Task> {
  const progress = progressOn(terminal)
  let task: Task | undefined
  const read = () =>
    answerOf(client.GET('/api/tasks/{trackingId}', { params: { path: { trackingId }, query: { top: 1 } } }))
  await checkOnEvents(client, { types: ['muster.work.*', 'muster.task.*'], signal: terminal.signal }, async () => {
    task = await read()
    progress.show({ done: task.total - task.open, total: task.total, text: describeTask(task) })
    return task.status !== runningStatus
  })
  progress.end()
  if (!task || terminal.signal.aborted) throw new CommandFailure('Interrupted. The task continues.')
  if (task.failed > 0) throw new CommandFailure(await describeFailures(client, task))
  if (task.status === failedStatus)
    throw new CommandFailure('The work of the task could not be prepared. Start it again.')
  return task
}

function describeTask({ succeeded, failed, cancelled, preparation }: Task): string {
  if (preparation?.state === 'Running')
    return `preparing ${preparation.completed} of ${formatCount(preparation.computers, 'computer')}`
  const others = [failed > 0 && `${failed} failed`, cancelled > 0 && `${cancelled} cancelled`].filter(Boolean)
  return [`${succeeded} succeeded`, ...others].join(', ')
}

async function describeFailures(client: MusterClient, { trackingId, failed }: Task): Promise<string[]> {
  const { actions } = await answerOf(
    client.GET('/api/tasks/{trackingId}', {
      params: { path: { trackingId }, query: { state: 'Failed', top: maxNamed } },
    }),
  )
  const lines = actions.items.map(({ hostname, packageName, kind, errorText }: Action) => {
    const reason = errorText ? `: ${errorText.split('\n')[0]}` : ''
    return `  ${hostname}  ${packageName ?? kind}${reason}`
  })
  const rest = failed > lines.length ? [`  … and ${failed - lines.length} more`] : []
  return [`${failed} failed:`, ...lines, ...rest]
}
