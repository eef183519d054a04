import { print } from '@muster/text/print'
import { ExpectedError } from '../expected-error.ts'
import type { Suspension } from '../protocol.ts'
import { removeDurably, writeDurably } from '../state/durable-file.ts'
import { wakeRunningAgent } from '../state/single-run.ts'
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts'
import { suspensionModeOf, suspensionModes } from '../state/suspension.ts'
import { parseUntil } from './parse-until.ts'

/** Starts no more work. Running commands finish. */
export async function suspend(state: StateFolder, mode: string, until: string | undefined): Promise<void> {
  const known = suspensionModeOf(mode)
  if (!known) throw new ExpectedError(`--mode must be one of ${suspensionModes.join(', ')}, not '${mode}'.`)
  await prepareStateFolder(state)
  const suspension: Suspension = { mode: known, untilUtc: until === undefined ? null : parseUntil(until) }
  await writeDurably(state.platform.files, state.suspension, suspension)
  await wakeRunningAgent(state)
  print(`${known} until ${suspension.untilUtc ?? `'resume'`}.`)
}

export async function resume(state: StateFolder): Promise<void> {
  await prepareStateFolder(state)
  await removeDurably(state.platform.files, state.suspension)
  await wakeRunningAgent(state)
  print('Work continues, unless the settings suspend it.')
}
