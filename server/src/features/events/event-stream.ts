import { Readable } from 'node:stream'
import type { Database } from '../../database/connect.ts'
import type { EventFollower, EventHub } from '../../platform/events/event-hub.ts'
import { type LoggedEvent, readEvents } from '../../platform/events/event-log.ts'
import { toCloudEvent } from './cloud-event.ts'

export type EventStreamOptions = {
  hub: EventHub
  db: Database
  installationId: string
  after: number
  types: ReadonlySet<string>
  computerId: number | undefined
  /** After this long, the stream ends. */
  maxSeconds: number | undefined
  /** Whether each event is named by its type. */
  isNamed: boolean
  /** Whether the caller may still read the stream. */
  isAllowed(): Promise<boolean>
}

/** A reader that is this far behind is cut. It continues with Last-Event-ID when it is ready. */
const maxBufferedBytes = 1_048_576
const pageSize = 500
/** How long a reader may take for one page of past events. */
const drainTimeoutMs = 30_000

/** The events as server-sent events: first those of the log, then new ones as they come. */
export function openEventStream(options: EventStreamOptions): Readable {
  const { hub, db, installationId, types, computerId, isNamed, isAllowed } = options
  let wantsMore = () => {}
  const stream = new Readable({
    highWaterMark: 65_536,
    read: () => wantsMore(),
    destroy(error, callback) {
      hub.leave(follower)
      clearTimeout(timeLimit)
      wantsMore()
      callback(error)
    },
  })

  function send(content: string | Buffer): void {
    if (content.length === 0 || stream.destroyed || stream.readableEnded) return
    stream.push(content)
    if (stream.readableLength > maxBufferedBytes) stream.destroy()
  }

  const filterKey = `${isNamed} ${computerId} ${[...types].join(' ')}`
  const format = (events: readonly LoggedEvent[]) =>
    Buffer.from(events.map((event) => formatEvent(event, installationId, isNamed)).join(''))
  const matches = ({ type, computer_id }: LoggedEvent) =>
    types.has(type) && (computerId === undefined || computer_id === computerId)

  const follower: EventFollower = {
    after: options.after,
    deliver(events) {
      send(formatOnce(events, filterKey, () => format(events.filter(matches))))
      // A principal that was revoked, or lost a role, must not see more.
      if (events.some(({ type }) => type.startsWith('muster.principal.'))) void endUnlessAllowed()
    },
    beat(position) {
      // The position spares a reader with a narrow filter to search the whole log when it connects again.
      send(`: heartbeat\nid: ${position}\n\n`)
      void endUnlessAllowed()
    },
    end,
  }

  function end(): void {
    hub.leave(follower)
    if (!stream.destroyed && !stream.readableEnded) stream.push(null)
  }

  async function endUnlessAllowed(): Promise<void> {
    const allowed = await isAllowed().catch(() => true)
    if (!allowed) end()
  }

  async function drained(): Promise<void> {
    if (stream.readableLength < stream.readableHighWaterMark || stream.destroyed) return
    await new Promise<void>((resolve) => {
      const timeout = setTimeout(() => stream.destroy(), drainTimeoutMs)
      wantsMore = () => {
        clearTimeout(timeout)
        wantsMore = () => {}
        resolve()
      }
    })
  }

  async function run(): Promise<void> {
    await hub.start()
    while (!stream.destroyed && !hub.follow(follower)) {
      const page = await readEvents(db, { after: follower.after, types: [...types], computerId, limit: pageSize })
      follower.after = page.nextAfter
      send(format(page.events))
      await drained()
    }
    if (stream.destroyed) hub.leave(follower)
  }

  const timeLimit = options.maxSeconds === undefined ? undefined : setTimeout(end, options.maxSeconds * 1_000)
  // A comment, so that the headers are sent at once.
  stream.push(': stream of events\n\n')
  run().catch((error: unknown) => stream.destroy(error as Error))
  return stream
}

function formatEvent(event: LoggedEvent, installationId: string, isNamed: boolean): string {
  const name = isNamed ? `event: ${event.type}\n` : ''
  return `id: ${event.position}\n${name}data: ${JSON.stringify(toCloudEvent(event, installationId))}\n\n`
}

const formatted = new WeakMap<readonly LoggedEvent[], Map<string, Buffer>>()

/** Readers with the same filter share the bytes of a batch. */
function formatOnce(events: readonly LoggedEvent[], filterKey: string, format: () => Buffer): Buffer {
  const byFilter = formatted.get(events) ?? new Map<string, Buffer>()
  formatted.set(events, byFilter)
  const known = byFilter.get(filterKey) ?? format()
  byFilter.set(filterKey, known)
  return known
}
