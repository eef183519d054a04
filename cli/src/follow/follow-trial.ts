import { answerOf, type components, type MusterClient } from '@muster/client'
import { CommandFailure } from '../errors.ts'
import { progressOn } from '../output/progress.ts'
import type { Terminal } from '../terminal.ts'
import { checkOnEvents } from './watch.ts'

type Trial = components['schemas']['PackageTrial']

const types = ['muster.package-trial.*', 'muster.work.*']

/** Shows the progress of a trial, or why it waits, until it ends. */
export async function followTrial(client: MusterClient, terminal: Terminal, id: string): Promise<Trial> {
  const progress = progressOn(terminal)
  let trial: Trial | undefined
  await checkOnEvents(client, { types, signal: terminal.signal }, async () => {
    trial = await answerOf(client.GET('/api/package-trials/{id}', { params: { path: { id } } }))
    const why = trial.blockers[0]?.message
    progress.show({ done: trial.progress ?? 0, total: 100, text: why ? `${trial.state}: ${why}` : trial.state })
    return trial.state !== 'Waiting' && trial.state !== 'Running'
  })
  progress.end()
  if (!trial || terminal.signal.aborted) throw new CommandFailure('Interrupted. The trial continues.')
  return trial
}
