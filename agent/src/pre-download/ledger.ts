import type { PreDownloadReport } from '../protocol.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { type AnnouncedItem, type Announcement, keyOf, readAnnouncement, storeAnnouncement } from './announcement.ts'

export type Progress = Pick<PreDownloadReport, 'state' | 'fetchedBytes' | 'message'> & {
  /** It would be refused again, until the content is another one. */
  isRefused?: boolean
}

export type Ledger = ReturnType<typeof openLedger>

const waiting: Progress = { state: 'Waiting', fetchedBytes: 0, message: null }

/** What is announced, and how far the downloads have come. Only the announcement outlives the process. */
export function openLedger(state: StateFolder) {
  let announcement: Announcement | undefined
  const progress = new Map<string, Progress>()
  const reportedStates = new Map<string, Progress['state']>()

  const announced = async () => {
    announcement ??= await readAnnouncement(state)
    return announcement
  }
  const progressOf = (item: AnnouncedItem) => progress.get(keyOf(item)) ?? waiting

  return {
    announced,
    progressOf,
    note: (item: AnnouncedItem, changes: Partial<Progress>) =>
      void progress.set(keyOf(item), { ...progressOf(item), ...changes }),

    /** From now on, this is announced. What follows a download that ends is chosen from it. */
    announce(next: Announcement): void {
      announcement = next
    },

    /** Stores what is announced, and removes the progress of everything else. */
    async store(): Promise<void> {
      const stored = await announced()
      await storeAnnouncement(state, stored)
      const keys = new Set(stored.items.map(keyOf))
      for (const known of [progress, reportedStates])
        for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
    },

    async findNext(): Promise<AnnouncedItem | undefined> {
      return (await announced()).items.find((item) => item.fetch && progressOf(item).state === 'Waiting')
    },

    retryFailed(): void {
      for (const [key, known] of progress)
        if (known.state === 'Failed' && !known.isRefused) progress.set(key, { ...known, state: 'Waiting' })
    },

    async toReports(): Promise<PreDownloadReport[]> {
      return (await announced()).items.map((item) => {
        const { isRefused: _, ...known } = progressOf(item)
        reportedStates.set(keyOf(item), known.state)
        return { workId: item.workId, contentHash: item.package.contentHash, ...known }
      })
    },

    /** Whether the server does not know a state yet. */
    async hasNews(): Promise<boolean> {
      return (await announced()).items.some((item) => reportedStates.get(keyOf(item)) !== progressOf(item).state)
    },
  }
}
