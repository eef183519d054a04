import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { agentStatuses } from '../../src/features/agents/agent-status.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { connectionStates } from '../../src/features/computers/connected-now.ts'
import { getComputerFacets } from '../../src/features/fleet/api/get-computer-facets.ts'
import { getComputerPage } from '../../src/features/fleet/api/get-computer-page.ts'
import { listFilterValues } from '../../src/features/fleet/api/list-filter-values.ts'
import { listFleetComputers } from '../../src/features/fleet/api/list-fleet-computers.ts'
import { listGroupCounts } from '../../src/features/fleet/api/list-group-counts.ts'
import { type ComputerFilter, facets, propertyFilters } from '../../src/features/fleet/computer-list/filter.ts'
import { type SortName, sortNames } from '../../src/features/fleet/computer-list/sort.ts'
import { healthStatuses } from '../../src/features/issues/computer-health.ts'
import { issueNames } from '../../src/features/issues/issues.ts'
import { missingSeverities, patchAges } from '../../src/features/issues/patch-states.ts'
import { nextContacts } from '../../src/features/issues/states/next-contact.ts'
import { contactAges } from '../../src/features/issues/states/record-computer-states.ts'
import { modelRuns } from '../world/model-runs.ts'
import { listStatements } from '../world/statements.ts'
import { contactAge, type KnownComputer, nextContactOf, openFleetWorld, readByContract } from './fleet-world.ts'

const world = await openFleetWorld(30)
const { as, db, groups } = world
const reader = as('computer.read')
const known = await readByContract(world)

type Query = ComputerFilter & { sort?: SortName; descending?: boolean; top?: number }

/** All pages of the list, each reached by the cursor of the previous one. */
async function listAll(query: Query, betweenPages: () => Promise<unknown> = async () => {}) {
  const first = await reader.call(listFleetComputers, { query })
  const items = [...first.body.items]
  for (let { link } = first.headers; link; ) {
    await betweenPages()
    const next = await reader.send({ method: 'GET', url: /<(.*)>/.exec(link)?.[1] ?? '' })
    items.push(...(next.body as typeof first.body).items)
    link = next.headers.link ?? ''
  }
  return { items, totalCount: first.body.totalCount }
}

const valuesOf = ({ shown, patchAge, missingSeverity, osVersion, tag, customField }: KnownComputer) => ({
  operatingSystem: [shown.operatingSystem ?? ''],
  healthStatus: [shown.healthStatus],
  agentStatus: [shown.agentStatus],
  lastContact: [contactAge(shown.lastSeenUtc)],
  connection: [shown.connectedNow ? 'Connected' : 'NotConnected'],
  issue: shown.issues as string[],
  patchAge: [patchAge],
  missingSeverity: [missingSeverity],
  nextContact: [nextContactOf(shown)],
  osVersion,
  model: [shown.model ?? ''],
  tag,
  customField,
  groupId: shown.groups.map(({ groupId }) => groupId),
})

function isSelected(computer: KnownComputer, { search = '', ...filter }: ComputerFilter, except?: string): boolean {
  const { hostname, serialNumber, loggedOnUser, ipAddress } = computer.shown
  const texts = [hostname, serialNumber, loggedOnUser, ipAddress, computer.macAddress]
  const hasWord = (word: string) =>
    [...texts, ...([...word].length >= 3 ? computer.software : [])].some((text) =>
      text?.toLowerCase().includes(word.toLowerCase()),
    )
  const values = valuesOf(computer)
  const isWanted = (wanted: readonly string[], own: readonly string[]) =>
    own.some((value) => wanted.some((one) => one.toLowerCase() === value.toLowerCase()))
  // Values of one field are alternatives, fields are not.
  const isFieldWanted = (wanted: readonly string[]) =>
    [...Map.groupBy(wanted, (value) => value.split('=')[0])].every(
      ([slot, ofSlot]) => except === slot || isWanted(ofSlot, values.customField),
    )
  return (
    search.split(/\s+/).every(hasWord) &&
    Object.entries(filter).every(
      ([name, wanted]) =>
        name === except ||
        (name === 'customField'
          ? isFieldWanted(wanted as string[])
          : isWanted(wanted as string[], values[name as keyof typeof values])),
    )
  )
}

const someOf = <T>(...values: readonly T[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })

const filters = fc.record(
  {
    search: fc.constantFrom(
      'pc',
      'kasse',
      'ÜB',
      'müller',
      '100%',
      '_6',
      'sn-10',
      '192.0.2.10',
      'edit pc',
      "o'b",
      'zzz',
      '\\',
    ),
    operatingSystem: someOf('', 'Windows 11 Enterprise', 'Windows 10 Pro', 'Debian GNU/Linux', 'none'),
    healthStatus: someOf(...healthStatuses),
    agentStatus: someOf(...agentStatuses),
    lastContact: someOf(...contactAges),
    connection: someOf(...connectionStates),
    issue: someOf(...issueNames),
    patchAge: someOf(...patchAges),
    missingSeverity: someOf(...missingSeverities),
    nextContact: someOf(...nextContacts),
    osVersion: someOf('', '10.0.26100', '12', 'none'),
    model: someOf('', 'Desk 500', 'Tower 7'),
    tag: someOf('berlin', 'KÖLN', "o'tag\u202e", 'none'),
    customField: someOf(
      'Custom01=Room 4.17',
      'Custom01="{x',
      'Custom01=',
      'Custom02=lent',
      'Custom02=',
      'Custom03=hidden',
      'Custom03=',
    ),
    groupId: someOf(...groups.map(({ id }) => id)),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ComputerFilter>

test('the list and its counts agree with the operations of the contract, whatever is filtered', async () => {
  await fc.assert(
    fc.asyncProperty(filters, fc.constantFrom(...sortNames), fc.boolean(), async (filter, sort, descending) => {
      const expected = known.filter((computer) => isSelected(computer, filter))

      const { items, totalCount } = await listAll({ ...filter, sort, descending, top: 7 })
      const { body: counts } = await reader.call(getComputerFacets, { query: filter })

      expect(totalCount).toBe(expected.length)
      expect(items.map(({ osVersion: _, software: __, ...item }) => item).toSorted((a, b) => a.id - b.id)).toEqual(
        expected.map(({ shown }) => shown),
      )
      expect(counts.computers).toBe(expected.length)
      for (const facet of facets) {
        const counted = known
          .filter((computer) => isSelected(computer, filter, facet))
          .flatMap((one) => valuesOf(one)[facet])
        expect(Object.fromEntries(counts[facet].map(({ value, count }) => [value ?? '', count])), facet).toEqual(
          countBy(counted),
        )
      }
      const members = known.filter((one) => isSelected(one, filter, 'groupId')).flatMap((one) => valuesOf(one).groupId)
      const { body: groupCounts } = await reader.call(listGroupCounts, { query: filter })
      expect(Object.fromEntries(groupCounts.map(({ groupId, count }) => [groupId, count]))).toEqual(countBy(members))
      for (const property of propertyFilters) {
        const query = { ...filter, property, slot: 'Custom01' }
        const { body: counted } = await reader.call(listFilterValues, { query })
        const except = property === 'customField' ? 'Custom01' : property
        const own = known
          .filter((one) => isSelected(one, filter, except))
          .flatMap((one) => valuesOf(one)[property])
          .filter((value) => property !== 'customField' || value.startsWith('Custom01='))
        expect(Object.fromEntries(counted.map(({ value, count }) => [value, count])), property).toEqual(countBy(own))
      }
    }),
    // Many filters select few computers, so the whole fleet comes first.
    { numRuns: modelRuns(12), examples: [[{}, 'hostname', false]] },
  )
})

const countBy = (values: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]))

type Shown = Awaited<ReturnType<typeof listAll>>['items'][number]

const lower = (text: string | null) => text?.toLowerCase() ?? ''

/** The keys by which people expect each column to be sorted. */
const keysOf: Record<SortName, (computer: Shown) => (string | number)[]> = {
  hostname: ({ hostname }) => [lower(hostname)],
  domain: ({ domain }) => [lower(domain)],
  operatingSystem: ({ operatingSystem }) => [lower(operatingSystem)],
  osVersion: ({ osVersion }) => [lower(osVersion)],
  loggedOnUser: ({ loggedOnUser }) => [lower(loggedOnUser)],
  ipAddress: ({ ipAddress }) =>
    ipAddress === null ? [-1] : ipAddress.includes(':') ? [999] : ipAddress.split('.').map(Number),
  serialNumber: ({ serialNumber }) => [lower(serialNumber)],
  manufacturer: ({ manufacturer }) => [lower(manufacturer)],
  model: ({ model }) => [lower(model)],
  healthStatus: ({ healthStatus }) => [healthStatuses.indexOf(healthStatus)],
  agentStatus: ({ agentStatus }) => [agentStatuses.indexOf(agentStatus)],
  lastSeenUtc: ({ lastSeenUtc }) => [lastSeenUtc ?? ''],
  issues: ({ issues }) => [issues.length],
  groups: ({ groups }) => [groups.map(({ name }) => name.toLowerCase()).join(', ')],
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((value, position) => value !== b[position])
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1
}

test.for(sortNames)('the list is sorted by %s in both directions, page by page', async (sort) => {
  for (const descending of [false, true]) {
    const { items } = await listAll({ sort, descending, top: 4 })

    const keys = items.map((item) => [...keysOf[sort](item), item.id])
    expect(items).toHaveLength(known.length)
    expect(keys).toEqual(keys.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b))))
  }
})

test.for([
  ['KASSE', ['Kasse-1', 'kasse-2']],
  ['küche', ['KÜCHE-3']],
  ['BÜRO', ['büro-4']],
  ['straße', ['Straße-5']],
  ['c_6%', ['pc_6%']],
  ["O'Brien", ["o'brien-10"]],
] as const)(
  'the search for %s finds names regardless of case and takes wildcards literally',
  async ([search, found]) => {
    const { items } = await listAll({ search })

    expect(items.map(({ hostname }) => hostname)).toEqual(expect.arrayContaining([...found]))
    expect(items.every(({ hostname }) => hostname.toLowerCase().includes(search.toLowerCase()))).toBe(true)
  },
)

test('while computers are renamed, added and deleted, every other computer is listed exactly once', async () => {
  const [renamed, deleted] = [
    await world.given.computer({ name: 'a-first' }),
    await world.given.computer({ name: 'zz-last' }),
  ]
  let step = 0

  const { items } = await listAll({ top: 5 }, async () => {
    step += 1
    if (step === 1) {
      await as('computer.write').call(updateComputer, { params: { id: renamed.id }, body: { name: 'zzz-last-now' } })
      await world.given.computer({ name: 'a-new' })
    }
    if (step === 2) await db.deleteFrom('computers').where('id', '=', deleted.id).execute()
  })

  const ids = items.map(({ id }) => id)
  const unchanged = known.map(({ shown }) => shown.id)
  expect(ids.filter((id) => unchanged.includes(id)).toSorted((a, b) => a - b)).toEqual(unchanged)
  expect(items.filter(({ id }) => id === renamed.id).map(({ hostname }) => hostname)).toEqual([
    'a-first',
    'zzz-last-now',
  ])
  expect(ids).not.toContain(deleted.id)
  await sql`delete from computers where name like 'a-%' or name like 'zz%'`.execute(db)
})

test('a renamed computer is found by its new name at once, and no longer by its old one', async () => {
  const computer = await world.given.computer({ name: 'before' })

  await as('computer.write').call(updateComputer, { params: { id: computer.id }, body: { name: 'Äfter' } })

  expect((await listAll({ search: 'äfter' })).items.map(({ id }) => id)).toEqual([computer.id])
  expect((await listAll({ search: 'before' })).totalCount).toBe(0)
  await db.deleteFrom('computers').where('id', '=', computer.id).execute()
})

test.each([{ sort: 'secret' }, { healthStatus: 'Ill' }, { issue: 'none' }, { groupId: 'x' }, { cursor: 'x' }])(
  'the list refuses %j and names the parameter',
  async (query) => {
    const refused = await reader.call(listFleetComputers, { query: query as object })

    expect(refused).toMatchObject({ status: 400 })
    expect(JSON.stringify(refused.raw)).toContain(Object.keys(query)[0])
  },
)

test('the list says when the next contact of each computer is expected that is not connected, as its page does', async () => {
  const { items } = await listAll({})
  const waiting = items.filter(({ connectedNow, lastSeenUtc }) => !connectedNow && lastSeenUtc !== null)
  const pages = await Promise.all(waiting.map(({ id }) => reader.call(getComputerPage, { params: { id } })))

  expect(waiting.length).toBeGreaterThan(0)
  expect(waiting.map(({ nextContactUtc }) => nextContactUtc)).toEqual(pages.map(({ body }) => body.nextContactUtc))
  expect(items.filter((one) => !waiting.includes(one)).map(({ nextContactUtc }) => nextContactUtc)).not.toContainEqual(
    expect.any(String),
  )
})

test('the next contacts of a page take one statement, however many computers it has', async () => {
  const count = async (top: number) =>
    (await listStatements(() => reader.call(listFleetComputers, { query: { top } }))).length
  await count(1)

  expect(await count(25)).toBe(await count(2))
})
