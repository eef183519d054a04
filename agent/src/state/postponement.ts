import { readStored } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

export type Postponement = { untilUtc: string }

/** Until when somebody at this computer puts work off; null when nobody does. */
export async function currentPostponement(state: StateFolder, now = new Date()): Promise<Date | null> {
  const stored = await readStored<Postponement>(state.postponement)
  const until = stored && new Date(stored.untilUtc)
  return until && until > now ? until : null
}
