import { answerOf, type components, type MusterClient } from '@muster/client'
import { readableCause } from '@muster/text'
import { CommandFailure } from '../errors.ts'
import { formatCount } from '../output/counts.ts'
import { progressOn } from '../output/progress.ts'
import type { Terminal } from '../terminal.ts'
import { checkOnEvents } from './watch.ts'

type Rollout = components['schemas']['Rollout']

const maxNamed = 20
const types = ['muster.rollout.*', 'muster.work.*', 'muster.task.*']

/** Shows the progress of a rollout until it ends or pauses. A pause and failed computers are failures. */
export async function followRollout(client: MusterClient, terminal: Terminal, id: string): Promise<Rollout> {
  const progress = progressOn(terminal)
  let rollout: Rollout | undefined
  await checkOnEvents(client, { types, signal: terminal.signal }, async () => {
    rollout = await answerOf(client.GET('/api/rollouts/{id}', { params: { path: { id } } }))
    const { succeededCount, failedCount, cancelledCount, nothingDueCount, computerCount } = rollout
    const done = succeededCount + failedCount + cancelledCount + nothingDueCount
    progress.show({ done, total: computerCount, text: describeRollout(rollout) })
    return rollout.state !== 'Running'
  })
  progress.end()
  if (!rollout || terminal.signal.aborted) throw new CommandFailure('Interrupted. The rollout continues.')
  if (rollout.pause) throw new CommandFailure(`${rollout.name} is paused: ${rollout.pause.text}`)
  if (rollout.failedCount > 0) throw new CommandFailure(await describeFailures(client, rollout))
  return rollout
}

export function describeRollout(rollout: Rollout): string {
  const { state, openRing, ringCount, failedCount, retryingCount, nothingDueCount, next } = rollout
  return [
    state,
    openRing === null ? '' : `ring ${openRing} of ${ringCount}`,
    failedCount > 0 ? `${failedCount} failed` : '',
    retryingCount > 0 ? `${retryingCount} failed and will be retried` : '',
    nothingDueCount > 0 ? `nothing due on ${formatCount(nothingDueCount, 'computer')}` : '',
    next?.text ?? '',
  ]
    .filter(Boolean)
    .join(', ')
}

async function describeFailures(
  client: MusterClient,
  { rolloutId: id, failedCount, name }: Rollout,
): Promise<string[]> {
  const { items } = await answerOf(
    client.GET('/api/rollouts/{id}/computers', {
      params: { path: { id }, query: { state: 'Failed', top: maxNamed } },
    }),
  )
  const lines = items.map(({ hostname, error }) => `  ${hostname}${error ? `: ${readableCause(error)}` : ''}`)
  const rest = failedCount > lines.length ? [`  … and ${failedCount - lines.length} more`] : []
  return [`${name}: ${formatCount(failedCount, 'computer')} failed:`, ...lines, ...rest]
}
