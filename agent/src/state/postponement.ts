import { readStored, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

/** An earlier agent has stored no user. */
type StoredPostponement = { untilUtc: string; user?: string }

export type Postponement = { until: Date; user: string | undefined }

/** Until when a user of this computer has postponed work, and who; null if nobody has. */
export async function findPostponement(state: StateFolder, now = new Date()): Promise<Postponement | null> {
  const stored = await readStored<StoredPostponement>(state.postponement)
  const until = stored && new Date(stored.untilUtc)
  return until && until > now ? { until, user: stored.user } : null
}

export async function storePostponement(
  { platform, postponement }: StateFolder,
  until: Date,
  user: string,
): Promise<void> {
  await writeDurably(platform.files, postponement, { untilUtc: until.toISOString(), user } satisfies StoredPostponement)
}
