import { readStored, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

type Postponement = { untilUtc: string }

/** Until when a user of this computer has postponed work; null if not at all. */
export async function findPostponement(state: StateFolder, now = new Date()): Promise<Date | null> {
  const stored = await readStored<Postponement>(state.postponement)
  const until = stored && new Date(stored.untilUtc)
  return until && until > now ? until : null
}

export async function storePostponement({ platform, postponement }: StateFolder, until: Date): Promise<void> {
  await writeDurably(platform.files, postponement, { untilUtc: until.toISOString() } satisfies Postponement)
}
