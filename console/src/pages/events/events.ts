import { answerOf, api, type Schemas } from '../../api/client.ts'

export type ServiceEvent = Schemas['CloudEvent']

/** Events of a range of positions, newest first. */
export type EventsOfRange = {
  events: ServiceEvent[]
  /** Events after this position were read. */
  from: number
  hasEarlier: boolean
}

/** As many as the service reads at once. */
const maxLimit = 1_000
const wantedEvents = 40

/** How many positions are searched for events of rare types: few first, because many events may match. */
const spans = [60, 1_000, 20_000]

export const listEvents = (query: { types?: string; after?: string; limit: number }) =>
  answerOf(api.GET('/api/events', { params: { query } }))

const typesOf = (types: string) => (types === '' ? {} : { types })

/** Reads the latest events up to a position; the latest of all without one. */
export async function readLatest(types: string, upTo?: number): Promise<EventsOfRange> {
  const { oldestPosition, latestPosition } = await listEvents({ limit: 1, ...typesOf(types) })
  const [first, last] = [Number(oldestPosition) - 1, upTo ?? Number(latestPosition)]
  let found: EventsOfRange = { events: [], from: last, hasEarlier: last > first }
  for (const span of spans) {
    const from = Math.max(first, last - span)
    found = { events: await readRange(types, from, last), from, hasEarlier: from > first }
    if (found.events.length >= wantedEvents || !found.hasEarlier) break
  }
  return found
}

async function readRange(types: string, from: number, last: number): Promise<ServiceEvent[]> {
  const found: ServiceEvent[] = []
  for (let after = from; after < last; ) {
    const page = await listEvents({ after: String(after), limit: maxLimit, ...typesOf(types) })
    found.push(...page.items.filter(({ position }) => Number(position) <= last))
    after = Number(page.nextAfter)
    if (!page.hasMore) break
  }
  return found.reverse()
}

/** Reads what came after a position, newest first; undefined if that is too much. */
export async function readSince(types: string, position: number): Promise<ServiceEvent[] | undefined> {
  const { items, hasMore } = await listEvents({ after: String(position), limit: maxLimit, ...typesOf(types) })
  return hasMore ? undefined : items.reverse()
}
