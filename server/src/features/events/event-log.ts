import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { LoggedEvent } from '../../platform/event-hub.ts'

export type EventRange = {
  /** Events up to this position are left out. */
  after: number
  /** All types if undefined. */
  types?: readonly string[] | undefined
  computerId?: number | undefined
  limit: number
}

export type EventLogBounds = {
  /** The first position that is still in the log. If the log is empty, the next one. */
  oldestPosition: number
  lastPosition: number
}

export type ReadEvents = EventLogBounds & {
  events: LoggedEvent[]
  /** Where to continue. Beyond the last returned event if the filter left out those that follow. */
  nextAfter: number
}

/** A statement looks at no more positions than this, however few of them the filter selects. */
const maxScannedPositions = 50_000

type Row = EventLogBounds & { [K in keyof LoggedEvent]: LoggedEvent[K] | null }

/**
 * Reads events in the order of their positions. One statement reads the events and the ends of the log so that nothing can
 * be added or dropped in between.
 */
export async function readEvents(db: Database, range: EventRange): Promise<ReadEvents> {
  const { after, types, computerId, limit } = range
  // The events of one computer have an index of their own.
  const until = computerId === undefined ? after + maxScannedPositions : Number.MAX_SAFE_INTEGER
  const { rows } = await sql<Row>`
    select ${bounds}, found.position, found.type, found.subject, found.computer_id, found.occurred_at, found.data, found.traceparent
    from event_log left join (
      select position, type, subject, computer_id, occurred_at, data, traceparent from events
      where day >= coalesce((select max(day) from event_days where first_position <= ${after}::bigint + 1), '-infinity')
        and position > ${after} and position <= ${until}
        ${types ? sql`and type = any(${types}::text[])` : sql``}
        ${computerId === undefined ? sql`` : sql`and computer_id = ${computerId}`}
      order by position limit ${limit}
    ) as found on true
    order by found.position`.execute(db)
  const { oldestPosition, lastPosition } = rows[0] ?? { oldestPosition: 1, lastPosition: 0 }
  const events = rows.filter((row): row is EventLogBounds & LoggedEvent => row.position !== null)
  const last = events.at(-1)
  const nextAfter = last && events.length === limit ? last.position : Math.max(after, Math.min(until, lastPosition))
  return { oldestPosition, lastPosition, events, nextAfter }
}

export type LatestEvents = {
  computerId: number
  types: readonly string[]
  /** Events from this position on are left out. */
  before?: number | undefined
  limit: number
}

/** Reads the events about one computer, newest first. Each day of the log contributes from its own index. */
export async function readLatestEvents(db: Database, range: LatestEvents): Promise<LoggedEvent[]> {
  const { computerId, types, before, limit } = range
  const { rows } = await sql<LoggedEvent>`
    select position, type, subject, computer_id, occurred_at, data, traceparent from events
    where computer_id = ${computerId} and type = any(${types}::text[])
      ${before === undefined ? sql`` : sql`and position < ${before}`}
    order by position desc limit ${limit}`.execute(db)
  return rows
}

export async function getEventLogBounds(db: Database): Promise<EventLogBounds> {
  const { rows } = await sql<EventLogBounds>`select ${bounds} from event_log`.execute(db)
  return rows[0] ?? { oldestPosition: 1, lastPosition: 0 }
}

const bounds = sql`
  event_log.last_position as "lastPosition",
  coalesce((select min(first_position) from event_days), event_log.last_position + 1) as "oldestPosition"`

/** Whether the log has all events after the position. It has not if they were dropped, or if a restore has replaced it. */
export function isInLog(after: number, { oldestPosition, lastPosition }: EventLogBounds): boolean {
  return after >= oldestPosition - 1 && after <= lastPosition
}
