import { ExpectedError } from '../expected-error.ts'
import type { Suspension } from '../protocol.ts'
import { removeDurably, writeDurably } from '../state/durable-file.ts'
import { wakeRunningAgent } from '../state/single-run.ts'
import { prepareStateFolder, stateFolder } from '../state/state-folder.ts'
import { suspensionModeOf, suspensionModes } from '../state/suspension.ts'

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** No work is begun from now on. What runs already comes to its end. */
export async function suspend(path: string, mode: string, until: string | undefined): Promise<void> {
  const known = suspensionModeOf(mode)
  if (!known) throw new ExpectedError(`--mode must be one of ${suspensionModes.join(', ')}, not '${mode}'.`)
  const state = stateFolder(path)
  await prepareStateFolder(state)
  const suspension: Suspension = { mode: known, untilUtc: until === undefined ? null : timeOf(until) }
  await writeDurably(state.suspension, suspension)
  await wakeRunningAgent(state)
  console.log(`${known} until ${suspension.untilUtc ?? `'resume'`}.`)
}

export async function resume(path: string): Promise<void> {
  const state = stateFolder(path)
  await prepareStateFolder(state)
  await removeDurably(state.suspension)
  await wakeRunningAgent(state)
  console.log('Work is done again, unless the settings suspend it.')
}

/** A moment, or a time from now such as 90m, 2h or 1d. */
function timeOf(text: string): string {
  const [, amount, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const moment = unit ? new Date(Date.now() + Number(amount) * unitMs[unit as 'm' | 'h' | 'd']) : new Date(text)
  if (Number.isNaN(moment.getTime())) throw new ExpectedError(`--until must be a time such as 2h or ${exampleTime()}.`)
  if (moment <= new Date()) throw new ExpectedError('--until must lie in the future.')
  return moment.toISOString()
}

function exampleTime(): string {
  return new Date(Date.now() + unitMs.d).toISOString()
}
