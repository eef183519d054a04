import type pg from 'pg'
import type { Database } from '../../database/connect.ts'
import { listenTo } from '../../database/listen.ts'
import type { EventFollower, EventHub, LoggedEvent } from '../../platform/event-hub.ts'
import { getEventLogBounds, isInLog, readEvents } from './event-log.ts'

export type EventHubOptions = {
  db: Database
  /** Only its settings are used: the hub has a connection of its own for notifications. */
  pool: pg.Pool
  logger: { warn(message: string): void; error(details: object, message: string): void }
  beatSeconds?: number
}

const pageSize = 1_000
/** A follower gets what it has missed of these at once. One that has missed more reads the log, page by page. */
const maxRecentEvents = pageSize

/**
 * Follows the event log for all followers of this process: one connection that listens, and one statement for each batch
 * of new events, however many followers there are.
 */
export function openEventHub({ db, pool, logger, beatSeconds = 15 }: EventHubOptions): EventHub {
  const followers = new Set<EventFollower>()
  let recent: LoggedEvent[] = []
  /** The last position that was read. Undefined until the hub has started. */
  let position: number | undefined
  let listening: { close(): Promise<void> } | undefined
  let starting: Promise<void> | undefined
  let beats: NodeJS.Timeout | undefined
  let isClosed = false

  async function readNew(): Promise<void> {
    if (position === undefined) return
    for (let isBehind = true; isBehind && !isClosed; ) {
      const read = await readEvents(db, { after: position, limit: pageSize })
      if (!isInLog(position, read)) {
        // After a restore, or a very long silence. Followers find out when they connect again.
        recent = []
        position = read.lastPosition
        return endAll(followers)
      }
      isBehind = read.events.length === pageSize
      position = read.nextAfter
      if (read.events.length > 0) distribute(read.events)
    }
  }

  function distribute(events: readonly LoggedEvent[]): void {
    recent = [...recent, ...events].slice(-maxRecentEvents)
    for (const follower of followers) deliverAfter(follower, events)
  }

  function deliverAfter(follower: EventFollower, events: readonly LoggedEvent[]): void {
    const [first] = events
    const last = events.at(-1)
    if (!first || !last || last.position <= follower.after) return
    // The same list for all followers that need all of it so that they can share what they make of it.
    const fresh = first.position > follower.after ? events : events.filter((event) => event.position > follower.after)
    follower.after = last.position
    follower.deliver(fresh)
  }

  async function open(): Promise<void> {
    position = (await getEventLogBounds(db)).lastPosition
    if (isClosed) return
    const readLatest = oneAtATime(readNew)
    listening = listenTo(pool, 'muster_events', readLatest, logger)
    beats = setInterval(() => {
      // In case the last notification came while the database could not be read.
      readLatest().catch(() => undefined)
      for (const follower of followers) follower.beat(Math.max(follower.after, position ?? 0))
    }, beatSeconds * 1_000)
    beats.unref()
  }

  return {
    async start() {
      starting ??= open()
      // A start that failed, as without the database, is tried again.
      await starting.catch((error: unknown) => {
        starting = undefined
        throw error
      })
    },
    follow(follower) {
      if (isClosed) follower.end()
      const firstRecent = recent[0]?.position ?? (position ?? 0) + 1
      if (isClosed || follower.after < firstRecent - 1) return isClosed
      followers.add(follower)
      deliverAfter(follower, recent)
      return true
    },
    leave: (follower) => void followers.delete(follower),
    followerCount: () => followers.size,
    endStreams() {
      isClosed = true
      clearInterval(beats)
      endAll(followers)
    },
    async close() {
      this.endStreams()
      await listening?.close()
    },
  }
}

function endAll(followers: Set<EventFollower>): void {
  for (const follower of followers) follower.end()
  followers.clear()
}

/** Runs once more after the current run if it was called in the meantime, and never twice at once. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let isCalled = false
  return async () => {
    isCalled = true
    if (isRunning) return
    isRunning = true
    try {
      while (isCalled) {
        isCalled = false
        await run()
      }
    } finally {
      isRunning = false
    }
  }
}
