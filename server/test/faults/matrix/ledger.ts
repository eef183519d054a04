/** A value that a client wrote to a property, in the order of its writes. */
type WrittenValue = { value: string; isAcknowledged: boolean }

/** What the clients were promised: the service answered each of these with success. */
export type Ledger = {
  /** By request id. The audit trail must contain each exactly once, or at least once without an Idempotency-Key. */
  changes: Map<string, { name: string; hasKey: boolean }>
  groups: Set<string>
  tags: Set<string>
  /** By the command line that the result contained, which the history repeats. */
  results: Set<string>
  /** The inventory id of each computer. */
  inventoryIds: Map<number, WrittenValue[]>
  /** Computers that several clients change at once: which of their values is the last is not known. */
  crowded: Set<number>
  /** When the last acknowledged contact of each computer began. */
  contacts: Map<number, Date>
}

export function openLedger(): Ledger {
  return {
    changes: new Map(),
    groups: new Set(),
    tags: new Set(),
    results: new Set(),
    inventoryIds: new Map(),
    crowded: new Set(),
    contacts: new Map(),
  }
}

export type Reading = {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
}

type Audited = { request: { callerRequestId?: string } }

/** Reads everything back over the API. Returns a sentence for each promise that was not kept. */
export async function findBrokenPromises(ledger: Ledger, prefix: string, since: Date, api: Reading): Promise<string[]> {
  const after = encodeURIComponent(since.toISOString())
  const audited = await readAll<Audited>((page) => api.get(`/api/audit?after=${after}&${page}`))
  const groups = await readAll<{ name: string }>((page) => api.get(`/api/group?nameContains=${prefix}&${page}`))
  const tags = await readAll<{ designation: string }>((page) => api.get(`/api/tags?${page}`))
  const events = await readAll<{ info: string; classification: string }>((page) =>
    api.post(`/api/computer/distribution-history/search?${page}`, { info: prefix, after: since }),
  )
  const reported = events.filter(({ classification }) => classification === 'Report').map(({ info }) => info)
  return [
    ...findMiscountedChanges(ledger, audited),
    ...findMiscounted(
      'group',
      ledger.groups,
      groups.map(({ name }) => name),
    ),
    ...findMiscounted(
      'tag',
      ledger.tags,
      tags.map(({ designation }) => designation),
    ),
    ...findMiscounted('result', ledger.results, reported),
    ...(await findLostValues(ledger, api)),
    ...(await findLostContacts(ledger, api)),
  ]
}

function findMiscountedChanges({ changes }: Ledger, audited: Audited[]): string[] {
  const counts = countEach(audited.map(({ request }) => request.callerRequestId ?? ''))
  return [...changes].flatMap(([requestId, { name, hasKey }]) => {
    const count = counts.get(requestId) ?? 0
    const isKept = hasKey ? count === 1 : count >= 1
    return isKept ? [] : [`The change ${requestId} (${name}) was made ${count} times.`]
  })
}

function findMiscounted(what: string, promised: Set<string>, found: string[]): string[] {
  const counts = countEach(found)
  return [...promised].flatMap((one) => {
    const count = counts.get(one) ?? 0
    return count === 1 ? [] : [`The ${what} ${one} exists ${count} times.`]
  })
}

function countEach(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** A computer has the value that was acknowledged last, or one that was sent after it. */
async function findLostValues({ inventoryIds, crowded }: Ledger, api: Reading): Promise<string[]> {
  const known = [...inventoryIds].filter(([computerId]) => !crowded.has(computerId))
  const lost = known.map(async ([computerId, written]) => {
    const { inventoryId } = await api.get<{ inventoryId: string }>(`/api/computer/${computerId}`)
    const acknowledged = written.findLastIndex(({ isAcknowledged }) => isAcknowledged)
    const isKept = acknowledged < 0 || written.slice(acknowledged).some(({ value }) => value === inventoryId)
    const expected = written[acknowledged]?.value
    return isKept ? [] : [`The inventory id of computer ${computerId} is ${inventoryId}, not ${expected}.`]
  })
  return (await Promise.all(lost)).flat()
}

async function findLostContacts({ contacts }: Ledger, api: Reading): Promise<string[]> {
  const lost = [...contacts].map(async ([computerId, contactedAt]) => {
    const { lastSeenUtc } = await api.get<{ lastSeenUtc: string }>(`/api/computer/${computerId}`)
    const isKept = new Date(lastSeenUtc) >= contactedAt
    return isKept ? [] : [`Computer ${computerId} was last seen at ${lastSeenUtc}, not ${contactedAt.toISOString()}.`]
  })
  return (await Promise.all(lost)).flat()
}

type Page<T> = { items: T[]; hasMore: boolean }

const pageSize = 1000

async function readAll<T>(read: (page: string) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { items, hasMore } = await read(`top=${pageSize}&skip=${all.length}`)
    all.push(...items)
    if (!hasMore) return all
  }
}
