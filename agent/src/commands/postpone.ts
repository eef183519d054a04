import { writeDurably } from '../state/durable-file.ts'
import type { Postponement } from '../state/postponement.ts'
import { prepareStateFolder, stateFolder } from '../state/state-folder.ts'
import { timeOf } from './time-of.ts'

/** Work that may be put off is put off from now on; all other work is done. */
export async function postpone(path: string, until: string): Promise<void> {
  const state = stateFolder(path)
  await prepareStateFolder(state)
  const postponement: Postponement = { untilUtc: timeOf(until) }
  await writeDurably(state.postponement, postponement)
  console.log(`Work that may be put off waits until ${postponement.untilUtc}.`)
}
