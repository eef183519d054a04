import { readStored, removeDurably, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'
import { findNextDeadline } from './warnings.ts'

type Presentation = { sinceUtc: string }

/**
 * A program that is always in full screen, for example on a kiosk, must not delay work forever, and a user must not be
 * able to do so.
 */
const maxPresentationMs = 8 * 60 * 60_000

/**
 * Until when a presentation of the user suspends the agent; null if there is none, or if it has lasted too long. It also ends at the
 * first deadline of work that waits.
 */
export async function findSuspendingPresentation(state: StateFolder, now: Date): Promise<Date | null> {
  const end = await findPresentationEnd(state, now)
  const deadline = end && (await findNextDeadline(state))
  if (!end || !deadline || deadline >= end) return end
  return deadline > now ? deadline : null
}

/** Until when a presentation of the user delays work; null if there is none, or if it has lasted too long. */
export async function findPresentationEnd({ platform, presentation }: StateFolder, now: Date): Promise<Date | null> {
  if (!(await platform.users.isPresenting())) return null
  const stored = await readStored<Presentation>(presentation)
  const end = new Date((stored ? new Date(stored.sinceUtc) : now).getTime() + maxPresentationMs)
  return end > now ? end : null
}

/** Records at every contact since when the user has been presenting. A restart of the computer does not reset it. */
export async function recordPresentation({ platform, presentation }: StateFolder, now = new Date()): Promise<void> {
  const isPresenting = await platform.users.isPresenting()
  const stored = await readStored<Presentation>(presentation)
  if (isPresenting && !stored)
    await writeDurably(platform.files, presentation, { sinceUtc: now.toISOString() } satisfies Presentation)
  if (!isPresenting && stored) await removeDurably(platform.files, presentation)
}
