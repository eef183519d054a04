import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import type { ContentCache } from '../files/content-cache.ts'
import { log } from '../log.ts'
import type { ContactAnswer, PreDownloadReport } from '../protocol.ts'
import { PinnedKeysLost } from '../signing/pinned-keys.ts'
import { PackageRefused } from '../signing/signed-manifest.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { findSuspension } from '../state/suspension.ts'
import {
  type AnnouncedItem,
  type Announcement,
  bytesOf,
  contentsOf,
  keyOf,
  readAnnouncement,
  storeAnnouncement,
  toAnnouncement,
} from './announcement.ts'
import { fetchAnnounced } from './fetch-announced.ts'

export type PreDownloads = ReturnType<typeof openPreDownloads>

type Progress = Pick<PreDownloadReport, 'state' | 'fetchedBytes' | 'message'> & {
  /** It would be refused again, until the content is another one. */
  isRefused?: boolean
}

type Parts = {
  state: StateFolder
  cache: ContentCache
  /** False for an agent that ends when its work is done. */
  isEnabled: boolean
  /** Called when there is something new to report, and nothing left to download. */
  onEnd(): void
}

const waiting: Progress = { state: 'Waiting', fetchedBytes: 0, message: null }
const dayMs = 24 * 60 * 60 * 1000
const maxMessageLength = 300

/** Downloads what the server has announced, in the background, one item after the other and never beside work. */
export function openPreDownloads({ state, cache, isEnabled, onEnd }: Parts) {
  let announcement: Announcement | undefined
  /** Whether the server has something to announce to an agent that reports what it has. */
  let isAsked = false
  const progress = new Map<string, Progress>()
  const reportedStates = new Map<string, Progress['state']>()
  let running: { ended: Promise<void>; stop: AbortController } | undefined
  let current: { key: string; stop: AbortController; ended: Promise<void> } | undefined

  const announced = async () => {
    announcement ??= await readAnnouncement(state)
    return announcement
  }
  const progressOf = (item: AnnouncedItem) => progress.get(keyOf(item)) ?? waiting

  async function fetchItem(agent: Agent, item: AnnouncedItem, signal: AbortSignal): Promise<void> {
    const note = (changes: Partial<Progress>) => progress.set(keyOf(item), { ...progressOf(item), ...changes })
    const all = await announced()
    const ready = all.items.filter((other) => progressOf(other).state === 'Ready')
    note({ state: 'Fetching', message: null })
    try {
      const onBytes = (fetchedBytes: number) => note({ fetchedBytes })
      await fetchAnnounced(agent, { item, announcement: all, ready, signal, onBytes })
      note({ state: 'Ready', fetchedBytes: bytesOf([item]) })
      log(`The files of ${item.package.name} ${item.package.version} were downloaded before their time.`)
    } catch (error) {
      if (signal.aborted || agent.stopping.aborted) return void note({ state: 'Waiting' })
      const message = messageOf(error).slice(0, maxMessageLength).toWellFormed()
      note({ state: 'Failed', message, isRefused: error instanceof PackageRefused || error instanceof PinnedKeysLost })
      log(`The files of ${item.package.name} ${item.package.version} could not be downloaded yet. ${message}`)
    }
  }

  async function run(agent: Agent, signal: AbortSignal): Promise<void> {
    for (;;) {
      const item = (await announced()).items.find((one) => one.fetch && progressOf(one).state === 'Waiting')
      if (!item || signal.aborted || agent.stopping.aborted) break
      const stop = new AbortController()
      const ended = fetchItem(agent, item, AbortSignal.any([signal, stop.signal]))
      current = { key: keyOf(item), stop, ended }
      await ended
      current = undefined
    }
    const isNew = (item: AnnouncedItem) => reportedStates.get(keyOf(item)) !== progressOf(item).state
    if (!signal.aborted && !agent.stopping.aborted && (await announced()).items.some(isNew)) onEnd()
  }

  async function pause(): Promise<void> {
    running?.stop.abort()
    await running?.ended
  }

  /** Stops what is not wanted any more, and removes what was downloaded of it. */
  async function replace(next: Announcement, handedOut: ReadonlySet<number>): Promise<void> {
    const { items } = await announced()
    const mayContinue = new Set(next.items.filter(({ fetch }) => fetch).map(keyOf))
    // Before the download ends: what follows it is chosen from the new list.
    announcement = next
    if (current && !mayContinue.has(current.key)) {
      current.stop.abort()
      await current.ended
    }
    await storeAnnouncement(state, next)
    const kept = contentsOf([...next.items, ...items.filter(({ workId }) => handedOut.has(workId))])
    const withdrawn = [...contentsOf(items).values()].filter(({ sha256 }) => !kept.has(sha256))
    if (withdrawn.length > 0) log(`${withdrawn.length} files that were downloaded before their time are removed.`)
    await cache.discard(withdrawn)
    const keys = new Set(next.items.map(keyOf))
    for (const known of [progress, reportedStates]) for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
  }

  return {
    /** What the next contact reports; undefined if the server has nothing to announce. */
    async reports(): Promise<PreDownloadReport[] | undefined> {
      const { items } = await announced()
      if (!isEnabled || (items.length === 0 && !isAsked)) return undefined
      return items.map((item) => {
        const { state: itemState, fetchedBytes, message } = progressOf(item)
        reportedStates.set(keyOf(item), itemState)
        return { workId: item.workId, contentHash: item.package.contentHash, state: itemState, fetchedBytes, message }
      })
    },

    /**
     * Takes over what an answer announces. The content of work that was handed out stays: from now on it is kept as long as other
     * downloads. Returns whether the server waits for another contact.
     */
    async accept(answer: ContactAnswer, leased: readonly { workId: number }[]): Promise<boolean> {
      if (!isEnabled) return false
      const isFirst = answer.hasUpcoming === true && !isAsked
      if (answer.hasUpcoming) isAsked = true
      if (!answer.upcoming) return isFirst
      isAsked = answer.upcoming.work.length > 0
      const handedOut = new Set(leased.map(({ workId }) => workId))
      const next = toAnnouncement(answer.upcoming, await announced(), handedOut)
      if (next.items.length > 0 || (await announced()).items.length > 0) await replace(next, handedOut)
      return false
    },

    /** Ends the download in progress, which can be continued. */
    pause,

    /** Continues, and tries again what has failed. */
    async resume(agent: Agent): Promise<void> {
      if (await findSuspension(state)) return pause()
      for (const [key, known] of progress)
        if (known.state === 'Failed' && !known.isRefused) progress.set(key, { ...known, state: 'Waiting' })
      if (!isEnabled || running || agent.stopping.aborted) return
      const stop = new AbortController()
      const ended = run(agent, stop.signal)
        .catch((error: unknown) => log(`The download before its time has ended. ${messageOf(error)}`))
        .finally(() => {
          running = undefined
        })
      running = { ended, stop }
    },

    /** The hashes of files that are not removed because of their age. An announcement that is not renewed ends as well. */
    async keptHashes(maxAgeDays: number): Promise<ReadonlySet<string>> {
      const { items, announcedUtc } = await announced()
      return Date.now() - Date.parse(announcedUtc) < maxAgeDays * dayMs ? new Set(contentsOf(items).keys()) : new Set()
    },
  }
}
