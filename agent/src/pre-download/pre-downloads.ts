import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import type { ContentCache } from '../files/content-cache.ts'
import { log } from '../log.ts'
import { PinnedKeysLost } from '../signing/pinned-keys.ts'
import { PackageRefused } from '../signing/signed-manifest.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { findSuspension } from '../state/suspension.ts'
import { type AnnouncedItem, type Announcement, bytesOf, contentsOf, keyOf, toAnnouncement } from './announcement.ts'
import { fetchAnnounced } from './fetch-announced.ts'
import { type Ledger, openLedger } from './ledger.ts'
import type { PreDownloads } from './types.ts'

type Parts = {
  state: StateFolder
  cache: ContentCache
  /** With the current credential. */
  currentAgent(): Promise<Agent>
  /** False for an agent that ends when its work is done. */
  isEnabled: boolean
  /** Called when there is something new to report, and nothing left to download. */
  onEnd(): void
}

const dayMs = 24 * 60 * 60 * 1000
const maxMessageLength = 300

/** Downloads what the server has announced, in the background and never beside work. */
export function openPreDownloads({ state, cache, currentAgent, isEnabled, onEnd }: Parts): PreDownloads {
  const ledger = openLedger(state)
  const downloader = openDownloader(ledger, currentAgent, onEnd)
  /** Whether the server has something to announce to an agent that reports what it has. */
  let isAsked = false

  /** Stops what is not wanted any more, and removes what was downloaded of it. */
  async function replace(next: Announcement, handedOut: ReadonlySet<number>): Promise<void> {
    const { items } = await ledger.announced()
    ledger.announce(next)
    await downloader.stopUnless(new Set(next.items.filter(({ fetch }) => fetch).map(keyOf)))
    await ledger.store()
    const kept = contentsOf([...next.items, ...items.filter(({ workId }) => handedOut.has(workId))])
    const withdrawn = [...contentsOf(items).values()].filter(({ sha256 }) => !kept.has(sha256))
    if (withdrawn.length > 0) log(`${withdrawn.length} files that were downloaded before their time are removed.`)
    await cache.discard(withdrawn)
  }

  return {
    async reports() {
      const { items } = await ledger.announced()
      return isEnabled && (items.length > 0 || isAsked) ? ledger.toReports() : undefined
    },

    async accept({ hasUpcoming = false, upcoming }, leased) {
      if (!isEnabled) return false
      const isFirst = hasUpcoming && !isAsked
      isAsked = upcoming ? upcoming.work.length > 0 : isAsked || hasUpcoming
      if (!upcoming) return isFirst
      const handedOut = new Set(leased.map(({ workId }) => workId))
      const before = await ledger.announced()
      const next = toAnnouncement(upcoming, before, handedOut)
      if (next.items.length > 0 || before.items.length > 0) await replace(next, handedOut)
      return false
    },

    pause: downloader.stop,

    async resume() {
      if (!isEnabled) return
      if (await findSuspension(state)) return downloader.stop()
      ledger.retryFailed()
      downloader.start()
    },

    async keptHashes(maxAgeDays) {
      const { items, announcedUtc } = await ledger.announced()
      return Date.now() - Date.parse(announcedUtc) < maxAgeDays * dayMs ? new Set(contentsOf(items).keys()) : new Set()
    },
  }
}

/** Downloads one item after the other until nothing is left or it is stopped. */
function openDownloader(ledger: Ledger, currentAgent: () => Promise<Agent>, onEnd: () => void) {
  let running: { ended: Promise<void>; stop: AbortController } | undefined
  let current: { key: string; ended: Promise<void>; stop: AbortController } | undefined

  async function run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const agent = await currentAgent()
      const item = await ledger.findNext()
      if (signal.aborted || agent.stopping.aborted) return
      if (!item) break
      const stop = new AbortController()
      const ended = downloadItem(agent, ledger, item, AbortSignal.any([signal, stop.signal]))
      current = { key: keyOf(item), ended, stop }
      await ended
      current = undefined
    }
    if (await ledger.hasNews()) onEnd()
  }

  return {
    start(): void {
      if (running) return
      const stop = new AbortController()
      const ended = run(stop.signal)
        .catch((error: unknown) => log(`Downloads before their time have ended. ${messageOf(error)}`))
        .finally(() => {
          running = undefined
        })
      running = { ended, stop }
    },

    async stop(): Promise<void> {
      running?.stop.abort()
      await running?.ended
    },

    /** Ends the download of one item, unless its key is among these. Others follow. */
    async stopUnless(wanted: ReadonlySet<string>): Promise<void> {
      if (!current || wanted.has(current.key)) return
      current.stop.abort()
      await current.ended
    },
  }
}

async function downloadItem(agent: Agent, ledger: Ledger, item: AnnouncedItem, signal: AbortSignal): Promise<void> {
  const announcement = await ledger.announced()
  const ready = announcement.items.filter((other) => ledger.progressOf(other).state === 'Ready')
  const title = `${item.package.name} ${item.package.version}`
  ledger.note(item, { state: 'Fetching', message: null })
  try {
    const onBytes = (fetchedBytes: number) => ledger.note(item, { fetchedBytes })
    await fetchAnnounced(agent, { item, announcement, ready, signal, onBytes })
    ledger.note(item, { state: 'Ready', fetchedBytes: bytesOf([item]) })
    log(`The files of ${title} were downloaded before their time.`)
  } catch (error) {
    if (signal.aborted || agent.stopping.aborted) return ledger.note(item, { state: 'Waiting' })
    const message = messageOf(error).slice(0, maxMessageLength).toWellFormed()
    const isRefused = error instanceof PackageRefused || error instanceof PinnedKeysLost
    ledger.note(item, { state: 'Failed', message, isRefused })
    log(`The files of ${title} could not be downloaded yet. ${message}`)
  }
}
