import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { architectureSpellings } from '../../src/features/computers/spellings.ts'
import { getSystemInfo } from '../../src/features/inventory/api/get-system-info.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const reader = as('computer.read')

const day = (n: number) => new Date(Date.UTC(2026, 0, n))

const full = await given.computer({
  name: 'PC-Alpha_100%',
  domain: 'corp.example.org',
  mac: '00:1B:44:11:3A:B7',
  uuid: '11111111-2222-3333-4444-555555555555',
  pxe_support: true,
  ip_address: '192.0.2.17',
  subnet_mask: '255.255.255.0',
  reported_ip_address: '198.51.100.5',
  manufacturer: 'Contoso Ltd.',
  os_name: 'Windows 11',
  os_edition: 'Enterprise',
  os_version: '10.0.22631',
  os_build: '22631',
  platform: 'Desktop',
  language: 'de-DE',
  architecture: 'AMD64',
  memory_mb: 16_384,
  modified_at: day(10),
  inventory_at: day(10),
  lastSeen: day(10),
})
await db.insertInto('bios_records').values({ computer_id: full.id, serial_number: 'PF3K\\9XYZ' }).execute()
const bare = await given.computer({
  name: 'pc-bare',
  domain: 'other.example.net',
  mac: 'ffffffffffff',
  pxe_support: false,
  modified_at: day(1),
})

const search = async (body: object) => {
  const { body: page } = await reader.call(searchComputers, { body })
  expect(page.totalCount).toBe(page.items.length)
  return page.items.map(({ id }) => id)
}

await db.insertInto('activations').values({ computer_id: full.id, pxe: true }).execute()
// The tests filter by the times above, not by those of this preparation.
await db.deleteFrom('computer_changes').execute()

test.each([
  { hostname: 'alpha' },
  { hostname: 'A_100%' },
  { domain: 'CORP' },
  { serialNumber: 'pf3k\\9' },
  { macAddress: '00:1b:44:11:3a:b7' },
  { macAddress: '1b-44' },
  { macAddress: '44113a' },
  { macAddress: '001b.4411' },
  { manufacturer: 'contoso' },
  { osName: 'windows' },
  { osEdition: 'enter' },
  { osVersion: '0.22' },
  { osBuild: '2631' },
  { platform: 'desk' },
  { language: 'DE-de' },
  { architecture: 'amd' },
  { ipAddress: '192.0.2.' },
  { ipAddress: '198.51.100.5' },
  { clientId: full.id },
  { uuid: '11111111-2222-3333-4444-555555555555' },
  { uuid: '11111111-2222-3333-4444-555555555555'.toUpperCase() },
  { minRamGb: 16 },
  { minRamGb: 0 },
  { pxeSupport: true },
  { isPxeActive: true },
  { lastSeenAfter: day(10).toISOString() },
  { modifiedAfter: day(10).toISOString() },
  { inventoryAfter: day(10).toISOString() },
  { inventoryBefore: day(10).toISOString() },
  { inventoryAfter: '2026-01-10T01:00:00+01:00', inventoryBefore: '2026-01-10T00:00:00' },
])('the criteria %j match only the computer with these values', async (criteria) => {
  expect(await search(criteria)).toEqual([full.id])
})

test.each([
  { pxeSupport: false },
  { isPxeActive: false },
  { neverSeen: true },
  { neverInventoried: true },
  { uuid: '00000000-0000-0000-0000-000000000000' },
  { hostname: 'pc', domain: 'net' },
])('the criteria %j match only the computer without these values', async (criteria) => {
  expect(await search(criteria)).toEqual([bare.id])
})

test.each([
  { hostname: 'a%1' },
  { hostname: 'Alpha-' },
  { hostname: 'pc_alpha' },
  { hostname: '\\' },
  { serialNumber: 'PF3K9' },
  { macAddress: '1b%44' },
  { macAddress: '1b_44' },
  { ipAddress: '192_0' },
  { clientId: 0 },
  { clientId: -1 },
  { uuid: '99999999-2222-3333-4444-555555555555' },
  { minRamGb: 17 },
  { minRamGb: 2_147_483_647 },
  { lastSeenAfter: '2026-01-10T00:00:00.001Z' },
  { modifiedAfter: '2026-01-10T00:00:00.001Z' },
  { inventoryAfter: '2026-01-10T00:00:00.001Z' },
  { inventoryBefore: '2026-01-09T23:59:59.999Z' },
  { neverSeen: true, lastSeenAfter: '2000-01-01T00:00:00Z' },
  { hostname: 'alpha', domain: 'net' },
  { ou: 'x' },
])('the criteria %j match no computer', async (criteria) => {
  expect(await search(criteria)).toEqual([])
})

test('null, an empty text and a false neverSeen or neverInventoried are no criteria, and an empty filter matches all', async () => {
  const nothing = Object.fromEntries(Object.keys(searchComputers.body.properties).map((name) => [name, null]))

  const results = await Promise.all(
    [
      {},
      nothing,
      { hostname: '', ou: '', macAddress: '', ipAddress: '' },
      { neverSeen: false, neverInventoried: false },
    ].map(search),
  )

  for (const found of results) expect(found).toEqual([full.id, bare.id])
})

test('a time that the API shows as equal to a bound matches it', async () => {
  const { id } = await given.computer({ name: 'microseconds' })
  await sql`update computers set inventory_at = '2026-02-01T00:00:00.123456Z' where id = ${id}`.execute(db)

  const found = await search({
    inventoryAfter: '2026-02-01T00:00:00.123Z',
    inventoryBefore: '2026-02-01T00:00:00.123Z',
  })

  expect(found).toEqual([id])
  await as('computer.write').call(deleteComputer, { params: { id } })
})

test.each([
  ['uuid', { uuid: 'x' }],
  ['minRamGb', { minRamGb: -1 }],
  ['clientId', { clientId: 2 ** 31 }],
  ['lastSeenAfter', { lastSeenAfter: 'yesterday' }],
  ['hostname', { hostname: 'x'.repeat(256) }],
  ['neverSeen', { neverSeen: 'true' }],
  ['name', { name: 'x' }],
])('an invalid %s in a search is refused by name', async (name, payload) => {
  const refused = await reader.send({ method: 'POST', url: '/api/computer/search', payload })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name }] } })
})

describe('listing computers', () => {
  test.each([
    [{}, [full.id, bare.id]],
    [{ lastSeenAfter: day(10).toISOString() }, [full.id]],
    [{ lastSeenAfter: '2026-01-10T00:00:00.001Z' }, []],
    [{ modifiedAfter: day(10).toISOString() }, [full.id]],
    [{ modifiedAfter: day(1).toISOString() }, [full.id, bare.id]],
    [{ inventoryAfter: day(10).toISOString() }, [full.id]],
    [{ inventoryBefore: day(10).toISOString() }, [full.id]],
    [{ inventoryBefore: day(9).toISOString() }, []],
    [{ neverSeen: true }, [bare.id]],
    [{ neverSeen: false }, [full.id, bare.id]],
    [{ neverInventoried: true }, [bare.id]],
    [{ neverInventoried: true, neverSeen: true, modifiedAfter: day(1).toISOString() }, [bare.id]],
  ])('the list takes the filter %j', async (query, expected) => {
    const { body } = await reader.call(listComputers, { query })

    expect(body.items.map(({ id }) => id)).toEqual(expected)
    expect(body.totalCount).toBe(expected.length)
  })

  test.each([{ neverSeen: 'perhaps' }, { modifiedAfter: 'x' }, { hostname: 'x' }])(
    'the list refuses the filter %j',
    async (query) => {
      const refused = await reader.call(listComputers, { query: query as object })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: Object.keys(query)[0] }] } })
    },
  )
})

describe('spellings', () => {
  const domain = 'spellings.example.org'
  const find = (criteria: object) => search({ domain, ...criteria })

  test('an architecture is found by every spelling that sources use for it, and answers show one', async () => {
    const reported = ['AMD64', 'x86_64', 'x64', '64', 'ARM64', 'aarch64', 'i686', 's390x']
    const computers: { id: number }[] = []
    for (const architecture of reported) computers.push(await given.computer({ domain, architecture }))
    const ids = (...names: string[]) =>
      computers.flatMap(({ id }, at) => (names.includes(reported[at] ?? '') ? id : []))
    const shown = await Promise.all(
      computers.map(async ({ id }) => (await reader.call(getSystemInfo, { params: { id } })).body),
    )

    const x64 = ids('AMD64', 'x86_64', 'x64', '64')
    for (const architecture of ['amd64', 'X86_64', 'x64', 'amd']) expect(await find({ architecture })).toEqual(x64)
    for (const architecture of ['arm64', 'AArch']) expect(await find({ architecture })).toEqual(ids('ARM64', 'aarch64'))
    expect(await find({ architecture: 's390' })).toEqual(ids('s390x'))
    expect(shown.map(({ architecture }) => architecture)).toEqual([
      ...['x64', 'x64', 'x64', 'x64', 'arm64', 'arm64', 'x86', 's390x'],
    ])
    expect(shown.map(({ reportedArchitecture }) => reportedArchitecture)).toEqual(reported)
  })

  test.each(Object.entries(architectureSpellings))(
    'searches and answers know the same spellings of %s',
    async (shown, spellings) => {
      const { rows } = await sql<{ spelling: string }>`
      select spelling from unnest(${spellings}::text[]) as spelling
      where canonical_architecture(upper(spelling)) = ${shown}`.execute(db)

      expect(rows.map(({ spelling }) => spelling)).toEqual(spellings)
    },
  )

  test('a manufacturer and an operating system are found by each of their names', async () => {
    const old = await given.computer({ domain, manufacturer: 'Hewlett-Packard', os_name: 'Mac OS X' })
    const recent = await given.computer({ domain, manufacturer: 'HP Inc.', os_name: 'macOS' })
    const both = [old.id, recent.id]

    for (const manufacturer of ['hp', 'Hewlett-Packard']) expect(await find({ manufacturer })).toEqual(both)
    for (const osName of ['macos', 'Mac OS X']) expect(await find({ osName })).toEqual(both)
    expect(await find({ manufacturer: 'HP Inc' })).toEqual([recent.id])
  })
})
