import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { searchFleet } from '../../src/features/fleet/api/find/search-fleet.ts'
import { openIssuesWorld } from '../issues/issues-world.ts'

const world = await openIssuesWorld()
const { as, db, given } = world

const all = as('computer.read', 'package.read', 'group.read', 'pm.read', 'admin.manage')
const find = async (search: string, top = 6) => (await all.call(searchFleet, { query: { search, top } })).body

async function found(search: string) {
  const { computers } = await find(search)
  return (computers ?? []).map(({ hostname, matchedBy, matchedText }) => [hostname, matchedBy, matchedText])
}

beforeAll(async () => {
  const till = await given.computer({ name: 'Kasse-1', mac: '001b44113ab7', reported_ip_address: '192.0.2.17' })
  await world.agent(till, { logged_on_user: 'CORP\\alice' })
  await sql`insert into bios_records (computer_id, serial_number) values (${till.id}, 'PF3K9XYZ')`.execute(db)
  for (const name of ['Kasse-10', 'alt-kasse-1', '100%-echt', '100x-echt', 'snake_case', 'snakeXcase'])
    await given.computer({ name })
  const other = await given.computer({ name: 'aa-1' })
  await world.agent(other, { logged_on_user: 'alice.miller@corp.example' })
  await given.computer({ name: 'many-00001' })
  await sql`
    insert into computers (name, domain, is_domain, mac_address)
    select 'many-' || lpad(n::text, 5, '0'), 'corp.example.org', true, '02:00:00:00:' || lpad(to_hex(n / 256), 2, '0') || ':' || lpad(to_hex(n % 256), 2, '0')
    from generate_series(2, 500) n`.execute(db)
  const berlin = await given.group({ name: 'Berlin' })
  const bonn = await given.group({ name: 'Bonn' })
  await given.group({ name: 'Finance', parent: berlin })
  await given.group({ name: 'Finance', parent: bonn })
  await given.package({ name: '7-Zip', package_name: '7-Zip', version: '24.09' })
  await given.package({ name: '7-Zip', package_name: '7-Zip', version: '9.20' })
  await given.patch({ key: 'KB5034441', cves: ['CVE-2026-12345', 'CVE-2026-12399'] })
  await given.patch({ key: 'KB5034', cves: ['CVE-2026-12345'] })
  await sql`
    insert into rollouts (name, group_id, criteria, created_by)
    values ('7-Zip to Berlin', ${berlin.id}, '{}', 'test'), ('Office', ${berlin.id}, '{}', 'test')`.execute(db)
  await given.localPrincipal({ description: 'Deploy bot' })
})

test('a computer is found by name, serial number, user, MAC address, IP address and id, and the answer says by which', async () => {
  expect(await found('kasse-1')).toEqual([
    ['Kasse-1', 'Name', 'Kasse-1'],
    ['Kasse-10', 'Name', 'Kasse-10'],
    ['alt-kasse-1', 'Name', 'alt-kasse-1'],
  ])
  expect(await found('pf3k9xyz')).toEqual([['Kasse-1', 'SerialNumber', 'PF3K9XYZ']])
  expect(await found('3k9')).toEqual([['Kasse-1', 'SerialNumber', 'PF3K9XYZ']])
  expect(await found('00:1b:44:11:3a:b7')).toEqual([['Kasse-1', 'MacAddress', '001b44113ab7']])
  expect(await found('192.0.2.17')).toEqual([['Kasse-1', 'IpAddress', '192.0.2.17']])
  const [{ id } = { id: 0 }] = (await find('kasse-1')).computers ?? []
  expect((await found(String(id))).filter(([, by]) => by === 'Id')).toEqual([['Kasse-1', 'Id', String(id)]])
})

test('a user is found with and without the domain, and comes before names that only contain the text', async () => {
  expect(await found('alice')).toEqual([
    ['Kasse-1', 'User', 'CORP\\alice'],
    ['aa-1', 'User', 'alice.miller@corp.example'],
  ])
  expect((await find('alice')).users).toEqual([{ name: 'CORP\\alice' }, { name: 'alice.miller@corp.example' }])
  expect((await find('corp\\alice')).users).toEqual([{ name: 'CORP\\alice' }])
})

test('what equals the text or begins with it comes first, even if hundreds of computers contain it', async () => {
  const [first, ...others] = await found('many-00450')

  expect([first, ...others]).toEqual([['many-00450', 'Name', 'many-00450']])
  expect((await found('many')).map(([name]) => name)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `many-0000${n}`))
})

test('two characters find the beginning of names', async () => {
  expect((await found('ka')).map(([name]) => name)).toEqual(['Kasse-1', 'Kasse-10'])
})

test('characters that are wildcards in SQL are only themselves', async () => {
  expect((await found('100%')).map(([name]) => name)).toEqual(['100%-echt'])
  expect((await found('snake_')).map(([name]) => name)).toEqual(['snake_case'])
  expect(await found('%%%')).toEqual([])
  expect(await found("'; drop table computers; --")).toEqual([])
  expect(await found('\\\\\\')).toEqual([])
})

test('packages, groups with their paths, rollouts and principals are found', async () => {
  const { packages, rollouts, groups, principals } = await find('7-zip')
  expect(packages).toMatchObject([{ version: '24.09' }, { version: '9.20' }])
  expect(rollouts).toMatchObject([{ name: '7-Zip to Berlin', state: 'Running' }])
  expect(groups).toEqual([])
  expect(principals).toEqual([])
  const named = await find('finance')
  expect(named.groups?.map(({ path }) => path.split('/').slice(-2).join('/'))).toEqual([
    'Berlin/Finance',
    'Bonn/Finance',
  ])
  expect((await find('berlin fin')).groups).toMatchObject([{ name: 'Finance' }])
  expect((await find('deploy bot')).principals).toMatchObject([
    { kind: 'local', name: expect.stringMatching(/^client-/) },
  ])
})

test('patches are found by the number of their article, and by the beginning of a CVE', async () => {
  expect((await find('KB5034')).patches).toMatchObject([{ qNumber: 'KB5034' }, { qNumber: 'KB5034441' }])
  expect((await find('5034441')).patches).toMatchObject([{ qNumber: 'KB5034441' }])
  const { cves, patches } = await find('cve-2026-123')
  expect(cves).toEqual([
    { cve: 'CVE-2026-12345', patchCount: 2 },
    { cve: 'CVE-2026-12399', patchCount: 1 },
  ])
  expect(patches).toHaveLength(2)
  expect((await find('CVE-2026-12399')).patches).toMatchObject([{ qNumber: 'KB5034441' }])
})

test('a caller finds only what its roles may read', async () => {
  const query = { search: 'kasse' }
  const kinds = async (...roles: Parameters<typeof as>) => {
    const { body } = await as(...roles).call(searchFleet, { query })
    return Object.entries(body).flatMap(([kind, items]) => (items === null ? [] : [kind]))
  }

  expect(await kinds('computer.read')).toEqual(['computers', 'users', 'rollouts'])
  expect(await kinds('group.read')).toEqual(['groups'])
  expect(await kinds('package.read')).toEqual(['packages'])
  expect(await kinds('pm.read')).toEqual(['cves', 'patches'])
  expect(await kinds('admin.manage')).toEqual(['principals'])
  expect(await kinds('package.write')).toEqual([])
})

test('a search for nothing but blanks is refused', async () => {
  const { status } = await all.call(searchFleet, { query: { search: '  ' } })

  expect(status).toBe(400)
})
