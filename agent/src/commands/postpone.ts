import { writeDurably } from '../state/durable-file.ts'
import type { Postponement } from '../state/postponement.ts'
import { prepareStateFolder, stateFolder } from '../state/state-folder.ts'
import { parseUntil } from './parse-until.ts'

/** Postpones work that may be postponed; all other work goes on. */
export async function postpone(path: string, until: string): Promise<void> {
  const state = stateFolder(path)
  await prepareStateFolder(state)
  const postponement: Postponement = { untilUtc: parseUntil(until) }
  await writeDurably(state.postponement, postponement)
  console.log(`Work that may be postponed waits until ${postponement.untilUtc}.`)
}
