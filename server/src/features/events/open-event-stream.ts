import { Readable } from 'node:stream'
import { compositeKey } from '@muster/text'
import type { Database } from '../../database/connect.ts'
import type { EventFollower, EventHub, LoggedEvent } from '../../platform/event-hub.ts'
import { toCloudEvent } from './cloud-event.ts'
import { readEvents } from './event-log.ts'
import { sendWhenChecked } from './send-when-checked.ts'
import { formatStreamEnd, type StreamEnd } from './stream-end.ts'

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
  /** Why the caller may read no more; undefined as long as it may. */
  findEnd(): Promise<StreamEnd | undefined>
}

/**
 * A reader that has not taken this much when more comes is cut. It continues with Last-Event-ID when it is ready. What comes at once
 * may be more: a reader that was cut because of it would get the same again, and never continue.
 */
const maxBufferedBytes = 1_048_576
const pageSize = 500
/** How long a reader may take for one page of past events. */
const drainTimeoutMs = 30_000

/**
 * The events as server-sent events: first those of the log, then new ones as they come. The right of the caller is checked
 * before every page and every batch, and with every heartbeat.
 */
export function openEventStream(options: EventStreamOptions): Readable {
  const { hub, db, installationId, types, computerId, isNamed } = options
  const filter = toFilter(options)
  let wantsMore = () => {}
  let isEnded = false
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
    if (content.length === 0 || isEnded || stream.destroyed) return
    if (stream.readableLength > maxBufferedBytes) stream.destroy()
    else stream.push(content)
  }

  const follower: EventFollower = {
    after: options.after,
    deliver(events) {
      const content = formatOnce(events, filter)
      // Any of these may be the end of the right, even of a stream that has nothing to send.
      const isAboutPrincipals = events.some(({ type }) => type.startsWith('muster.principal.'))
      if (content.length > 0 || isAboutPrincipals) sendIfAllowed({ content })
    },
    beat(position) {
      // The position spares a reader with a narrow filter to search the whole log when it connects again.
      sendIfAllowed({ content: `: heartbeat\nid: ${position}\n\n`, isHeartbeat: true })
    },
    end,
  }

  const sendIfAllowed = sendWhenChecked({ isAllowed, send, end })

  async function isAllowed(): Promise<boolean> {
    const reason = await options.findEnd()
    if (!reason) return true
    // A reader that is behind gets nothing of what it has not taken yet.
    if (stream.readableLength > stream.readableHighWaterMark) stream.destroy()
    send(formatStreamEnd(reason, installationId, isNamed))
    end()
    return false
  }

  function end(): void {
    hub.leave(follower)
    if (isEnded || stream.destroyed) return
    isEnded = true
    stream.push(null)
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
    while (!stream.destroyed && !isEnded && !hub.follow(follower)) {
      const page = await readEvents(db, { after: follower.after, types: [...types], computerId, limit: pageSize })
      if (!(await isAllowed())) return
      follower.after = page.nextAfter
      send(filter.format(page.events))
      await drained()
    }
    if (stream.destroyed || isEnded) hub.leave(follower)
  }

  const timeLimit = options.maxSeconds === undefined ? undefined : setTimeout(end, options.maxSeconds * 1_000)
  // A comment so that the headers are sent at once.
  stream.push(': stream of events\n\n')
  run().catch((error: unknown) => stream.destroy(error as Error))
  return stream
}

type Filter = {
  /** Equal for streams that make the same of the same events. */
  key: string
  /** The events that the stream selects, as text. */
  format(events: readonly LoggedEvent[]): Buffer
}

function toFilter({ types, computerId, isNamed, installationId }: EventStreamOptions): Filter {
  const matches = ({ type, computer_id }: LoggedEvent) =>
    types.has(type) && (computerId === undefined || computer_id === computerId)
  return {
    key: compositeKey(isNamed, computerId, ...types),
    format: (events) =>
      Buffer.from(
        events
          .filter(matches)
          .map((event) => formatEvent(event, installationId, isNamed))
          .join(''),
      ),
  }
}

function formatEvent(event: LoggedEvent, installationId: string, isNamed: boolean): string {
  const name = isNamed ? `event: ${event.type}\n` : ''
  return `id: ${event.position}\n${name}data: ${JSON.stringify(toCloudEvent(event, installationId))}\n\n`
}

const formatted = new WeakMap<readonly LoggedEvent[], Map<string, Buffer>>()

/** Readers with the same filter share the bytes of a batch. */
function formatOnce(events: readonly LoggedEvent[], { key, format }: Filter): Buffer {
  const byFilter = formatted.get(events) ?? new Map<string, Buffer>()
  formatted.set(events, byFilter)
  const known = byFilter.get(key) ?? format(events)
  byFilter.set(key, known)
  return known
}
