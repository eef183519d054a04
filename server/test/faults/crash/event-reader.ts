import { setTimeout as sleep } from 'node:timers/promises'
import { type BrokenPromise, findMiscounted, type Ledger, type Reading } from '../matrix/ledger.ts'

type Event = { position: string; type: string; subject: string; data: { groupName?: string; computerName?: string } }
type Page = { items: Event[]; nextAfter: string; hasMore: boolean }

/** An event gets its position a moment after its change. */
const maxDelayMs = 10_000
const pollMs = 100

/** A program that must not miss an event: it reads the log page by page, and continues where it stopped. */
export type EventReader = {
  /** Reads all events since the last time. Returns what contradicts the promises of the log. */
  readOn(api: Reading, ledger: Ledger): Promise<BrokenPromise[]>
  /** Reads the log from the beginning again, and compares it with what was read at the time. */
  readAgain(api: Reading): Promise<BrokenPromise[]>
}

export function openEventReader(): EventReader {
  /** By position. */
  const known: string[] = []
  let after: string | undefined

  return {
    async readOn(api, ledger) {
      const events: Event[] = []
      const from = after
      for (const latest = Date.now() + maxDelayMs; ; await sleep(pollMs)) {
        const { events: more, nextAfter } = await readLog(api, after)
        after = nextAfter
        events.push(...more)
        const broken = findBrokenEvents(events, ledger)
        if (broken.length > 0 && Date.now() < latest) continue
        for (const event of events) known[Number(event.position)] = describe(event)
        return [...findGaps(events, from), ...broken]
      }
    },
    async readAgain(api) {
      const { events } = await readLog(api, undefined)
      const now = new Map(events.map((event) => [Number(event.position), describe(event)]))
      const lost = [...known.entries()].filter(([position, event]) => event && now.get(position) !== event)
      return lost.map(([position, event]) => ({
        kind: 'lost',
        sentence: `The event at position ${position} was ${event}, and is ${now.get(position)}.`,
      }))
    },
  }
}

/** Each new group and each enrolment has one event. */
function findBrokenEvents(events: readonly Event[], { groups, enrolments }: Ledger): BrokenPromise[] {
  const ofType = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data)
  const created = ofType('muster.group.created').map(({ groupName = '' }) => groupName)
  const enrolled = ofType('muster.computer.enrolled').map(({ computerName = '' }) => computerName)
  return [
    ...findMiscounted('event of the new group', groups, created),
    ...findMiscounted('event of the enrolment of', enrolments, enrolled),
  ]
}

function describe({ type, subject, data }: Event): string {
  return `${type} ${subject} ${JSON.stringify(data)}`
}

async function readLog(api: Reading, from: string | undefined): Promise<{ events: Event[]; nextAfter: string }> {
  const events: Event[] = []
  for (let after = from; ; ) {
    const page = await api.get<Page>(`/api/events?limit=1000${after === undefined ? '' : `&after=${after}`}`)
    events.push(...page.items)
    after = page.nextAfter
    if (!page.hasMore) return { events, nextAfter: after }
  }
}

/** Positions have no gaps. */
function findGaps(events: readonly Event[], after: string | undefined): BrokenPromise[] {
  const first = after === undefined ? Number(events[0]?.position ?? 0) : Number(after) + 1
  const at = events.findIndex(({ position }, index) => Number(position) !== first + index)
  if (at < 0) return []
  const sentence = `In the event log, ${events[at]?.position} is at the position ${first + at}.`
  return [{ kind: 'lost', sentence }]
}
