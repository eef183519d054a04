/** A value that a client wrote to a property, in the order of its writes. */
type WrittenValue = { value: string; isAcknowledged: boolean }

/** What the clients were promised: the service answered each of these with success. */
export type Ledger = {
  /** By request id: the audit trail must contain each exactly once. */
  changes: Map<string, string>
  groups: Set<string>
  tags: Set<string>
  /** By the command line that the result contained, which the history repeats. */
  results: Set<string>
  /** The inventory id of each computer. */
  inventoryIds: Map<number, WrittenValue[]>
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
    contacts: new Map(),
  }
}

export type Reading = {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
}

/** Reads everything back over the API. Returns a sentence for each promise that was not kept. */
export async function findBrokenPromises(ledger: Ledger, prefix: string, since: Date, api: Reading): Promise<string[]> {
  const after = encodeURIComponent(since.toISOString())
  const audited = await readAll<{ requestId: string }>((page) => api.get(`/api/audit?after=${after}&${page}`))
  const groups = await readAll<{ name: string }>((page) => api.get(`/api/group?nameContains=${prefix}&${page}`))
  const tags = await readAll<{ designation: string }>((page) => api.get(`/api/tags?${page}`))
  const events = await readAll<{ info: string; classification: string }>((page) =>
    api.post(`/api/computer/distribution-history/search?${page}`, { info: prefix, after: since }),
  )
  const reported = events.filter(({ classification }) => classification === 'Report').map(({ info }) => info)
  return [
    ...findMiscounted(
      'change',
      [...ledger.changes.keys()],
      audited.map(({ requestId }) => requestId),
      ledger.changes,
    ),
    ...findMiscounted(
      'group',
      [...ledger.groups],
      groups.map(({ name }) => name),
    ),
    ...findMiscounted(
      'tag',
      [...ledger.tags],
      tags.map(({ designation }) => designation),
    ),
    ...findMiscounted('result', [...ledger.results], reported),
    ...(await findLostValues(ledger, api)),
    ...(await findLostContacts(ledger, api)),
  ]
}

function findMiscounted(what: string, promised: string[], found: string[], names?: Map<string, string>): string[] {
  const counts = new Map<string, number>()
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  return promised.flatMap((one) => {
    const count = counts.get(one) ?? 0
    return count === 1 ? [] : [`The ${what} ${one} ${names?.get(one) ?? ''} exists ${count} times.`]
  })
}

/** A computer has the value that was acknowledged last, or one that was sent after it. */
async function findLostValues({ inventoryIds }: Ledger, api: Reading): Promise<string[]> {
  const lost = [...inventoryIds].map(async ([computerId, written]) => {
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
