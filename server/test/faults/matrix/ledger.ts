/** A value that a client wrote to a property, in the order of its writes. */
export type WrittenValue = { value: string; isAcknowledged: boolean }

/** What the clients were promised: the service answered each of these with success. */
export type Ledger = {
  /** By request id. The audit trail must contain each exactly once, or at least once without an Idempotency-Key. */
  changes: Map<string, { name: string; hasKey: boolean }>
  groups: Set<string>
  tags: Set<string>
  /** By the command line that the result contained, which the history repeats. */
  results: Set<string>
  /** The tracking ids of activations that created work. */
  tasks: Set<string>
  /** The names of computers whose agents were enrolled. */
  enrolments: Set<string>
  /** The serial number in the inventory of each computer. */
  serialNumbers: Map<number, WrittenValue[]>
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
    tasks: new Set(),
    enrolments: new Set(),
    serialNumbers: new Map(),
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

/** What was acknowledged and is missing, or was done more than once. */
export type BrokenPromise = { kind: 'lost' | 'doubled'; sentence: string }

/** Reads everything back over the API. Returns each promise that was not kept. */
export async function findBrokenPromises(
  ledger: Ledger,
  prefix: string,
  since: Date,
  api: Reading,
): Promise<BrokenPromise[]> {
  const after = encodeURIComponent(since.toISOString())
  const audited = await readAll<Audited>((page) => api.get(`/api/audit?after=${after}&${page}`))
  const groups = await readAll<{ name: string }>((page) => api.get(`/api/group?nameContains=${prefix}&${page}`))
  const tags = await readAll<{ designation: string }>((page) => api.get(`/api/tags?${page}`))
  const events = await readAll<{ info: string; classification: string }>((page) =>
    api.post(`/api/computer/distribution-history/search?${page}`, { info: prefix, after: since }),
  )
  const computers = await readAll<{ hostname: string }>((page) =>
    api.post(`/api/computer/search?${page}`, { hostname: prefix }),
  )
  const tasks = await readAll<{ trackingId: string }>((page) => api.get(`/api/tasks?${page}`))
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
    ...findWorkDoneTwice(ledger),
    ...findMiscounted(
      'computer',
      ledger.enrolments,
      computers.map(({ hostname }) => hostname),
    ),
    ...findMiscounted(
      'task',
      ledger.tasks,
      tasks.map(({ trackingId }) => trackingId),
    ),
    ...(await findLostInventoryIds(ledger, api)),
    ...(await findLostSerialNumbers(ledger, api)),
    ...(await findLostContacts(ledger, api)),
  ]
}

function findMiscountedChanges({ changes }: Ledger, audited: Audited[]): BrokenPromise[] {
  const counts = countEach(audited.map(({ request }) => request.callerRequestId ?? ''))
  return [...changes].flatMap(([requestId, { name, hasKey }]) => {
    const count = counts.get(requestId) ?? 0
    const isKept = hasKey ? count === 1 : count >= 1
    return isKept ? [] : [miscounted(`The change ${requestId} (${name}) was made ${count} times.`, count)]
  })
}

function miscounted(sentence: string, count: number): BrokenPromise {
  return { kind: count === 0 ? 'lost' : 'doubled', sentence }
}

/** An agent whose result was acknowledged must not get the same work again. */
function findWorkDoneTwice({ results }: Ledger): BrokenPromise[] {
  const counts = countEach([...results].map((commandLine) => commandLine.replace(/ attempt \d+$/, '')))
  return [...counts].flatMap(([work, count]) =>
    count === 1 ? [] : [miscounted(`The ${work} was done ${count} times.`, count)],
  )
}

export function findMiscounted(what: string, promised: Iterable<string>, found: string[]): BrokenPromise[] {
  const counts = countEach(found)
  return [...promised].flatMap((one) => {
    const count = counts.get(one) ?? 0
    return count === 1 ? [] : [miscounted(`The ${what} ${one} exists ${count} times.`, count)]
  })
}

function countEach(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

async function findLostInventoryIds({ inventoryIds, crowded }: Ledger, api: Reading): Promise<BrokenPromise[]> {
  const known = [...inventoryIds].filter(([computerId]) => !crowded.has(computerId))
  return findLostValues('inventory id', known, async (computerId) => {
    const { inventoryId } = await api.get<{ inventoryId: string }>(`/api/computer/${computerId}`)
    return inventoryId
  })
}

function findLostSerialNumbers({ serialNumbers }: Ledger, api: Reading): Promise<BrokenPromise[]> {
  return findLostValues('serial number', [...serialNumbers], async (computerId) => {
    const { serialNumber } = await api.get<{ serialNumber: string }>(`/api/computer/${computerId}/inventory/bios`)
    return serialNumber
  })
}

/** A computer has the value that was acknowledged last, or one that was sent after it. */
async function findLostValues(
  what: string,
  writtenTo: [number, WrittenValue[]][],
  read: (computerId: number) => Promise<string>,
): Promise<BrokenPromise[]> {
  const lost = writtenTo.map(async ([computerId, written]): Promise<BrokenPromise[]> => {
    const acknowledged = written.findLastIndex(({ isAcknowledged }) => isAcknowledged)
    if (acknowledged < 0) return []
    const value = await read(computerId).catch((error: Error) => error.message)
    if (written.slice(acknowledged).some((one) => one.value === value)) return []
    const expected = written[acknowledged]?.value
    return [{ kind: 'lost', sentence: `The ${what} of computer ${computerId} is ${value}, not ${expected}.` }]
  })
  return (await Promise.all(lost)).flat()
}

async function findLostContacts({ contacts }: Ledger, api: Reading): Promise<BrokenPromise[]> {
  const lost = [...contacts].map(async ([computerId, contactedAt]): Promise<BrokenPromise[]> => {
    const { lastSeenUtc } = await api.get<{ lastSeenUtc: string }>(`/api/computer/${computerId}`)
    if (new Date(lastSeenUtc) >= contactedAt) return []
    const sentence = `Computer ${computerId} was last seen at ${lastSeenUtc}, not ${contactedAt.toISOString()}.`
    return [{ kind: 'lost', sentence }]
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
