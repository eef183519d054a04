import { writeDurably } from '../state/durable-file.ts'
import type { Postponement } from '../state/postponement.ts'
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts'
import { parseUntil } from './parse-until.ts'

/** Postpones work that may be postponed; all other work goes on. */
export async function postpone(state: StateFolder, until: string): Promise<void> {
  await prepareStateFolder(state)
  const postponement: Postponement = { untilUtc: parseUntil(until) }
  await writeDurably(state.platform.files, state.postponement, postponement)
  console.log(`Work that may be postponed waits until ${postponement.untilUtc}.`)
}
