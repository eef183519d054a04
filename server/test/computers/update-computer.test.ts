import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('computer.write')
const reader = as('computer.read')
await db.updateTable('custom_fields').set({ is_active: true }).where('slot', 'in', ['Custom01', 'Custom30']).execute()

const emptyGuid = '00000000-0000-0000-0000-000000000000'
const patch = (id: number, payload: object) => writer.send({ method: 'PATCH', url: `/api/computer/${id}`, payload })
const read = async (id: number) => (await reader.call(getComputer, { params: { id } })).body
const ouVariable = () =>
  db
    .selectFrom('variable_definitions')
    .select('id')
    .where('designation', '=', 'OuForComputerAccounts')
    .executeTakeFirstOrThrow()

test('given fields change, and all others keep their values', async () => {
  const { id } = await given.computer({
    uuid: '11111111-2222-3333-4444-555555555555',
    modified_at: new Date('2026-01-01'),
  })
  const before = await read(id)

  const updated = await writer.call(updateComputer, { params: { id }, body: { name: 'renamed', pxeSupport: true } })

  const { lastModified, ...rest } = before
  expect(updated.body).toEqual({ ...rest, hostname: 'renamed', pxeSupport: true, lastModified: expect.any(String) })
  expect(Date.parse(updated.body.lastModified ?? '')).toBeGreaterThan(Date.parse(lastModified ?? ''))
  expect(await read(id)).toEqual(updated.body)
})

test('null keeps every field, of whatever type', async () => {
  const { id } = await given.computer({
    uuid: '11111111-2222-3333-4444-555555555555',
    ip_address: '192.0.2.9',
    subnet_mask: '255.0.0.0',
  })
  await writer.call(updateComputer, {
    params: { id },
    body: { ou: 'OU=x', serialNumber: 'S', custom: { Custom01: 'c' } },
  })
  const before = await read(id)

  const updated = await writer.call(updateComputer, {
    params: { id },
    body: {
      name: null,
      domain: null,
      isDomain: null,
      inventoryId: null,
      macAddress: null,
      uuid: null,
      pxeSupport: null,
      ipAddress: null,
      subnetMask: null,
      standardGateway: null,
      ou: null,
      serialNumber: null,
      description: null,
      custom: null,
    },
  })

  expect(updated.body).toEqual({ ...before, lastModified: expect.any(String) })
})

test('a description is dropped, however deep', async () => {
  const { id } = await given.computer()
  const before = await read(id)

  const updated = await writer.send({
    method: 'PATCH',
    url: `/api/computer/${id}`,
    headers: { 'content-type': 'application/json' },
    payload: `{"description":${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}}`,
  })

  expect(updated).toMatchObject({ status: 200, raw: { ...before, lastModified: expect.any(String) } })
})

test('a change that names an older version is refused, and nothing changes', async () => {
  const { id } = await given.computer()
  const { headers } = await reader.call(getComputer, { params: { id } })
  await patch(id, { inventoryId: 'newer' })
  const before = await fingerprints(db)

  const refused = await writer.call(updateComputer, {
    params: { id },
    body: { inventoryId: 'older' },
    headers: { 'if-match': headers.etag ?? '' },
  })

  expect(refused).toMatchObject({ status: 412, problem: 'PreconditionFailed' })
  expect(await fingerprints(db)).toEqual(before)
})

test('an empty text clears, and the empty GUID clears the uuid', async () => {
  const { id } = await given.computer({ inventory_id: 'INV', uuid: '11111111-2222-3333-4444-555555555555' })
  const other = await given.computer({ uuid: '11111111-2222-3333-4444-555555555555' })

  const [cleared, noMac] = [
    await writer.call(updateComputer, { params: { id }, body: { inventoryId: '', uuid: emptyGuid } }),
    await writer.call(updateComputer, { params: { id: other.id }, body: { macAddress: '' } }),
  ]

  expect(cleared.body).toMatchObject({ inventoryId: null, uuid: emptyGuid })
  expect(noMac.body).toMatchObject({ macAddress: null, uuid: '11111111-2222-3333-4444-555555555555' })
})

test('the static address can be set, changed in part and cleared', async () => {
  const { id } = await given.computer()
  const found = async (ipAddress: string) =>
    (await reader.call(searchComputers, { body: { ipAddress } })).body.totalCount

  await patch(id, { ipAddress: '198.51.100.7', subnetMask: '255.255.255.0', standardGateway: '198.51.100.1' })
  const changed = await patch(id, { ipAddress: '198.51.100.8' })
  const counts = [await found('198.51.100.7'), await found('198.51.100.8')]
  const cleared = await patch(id, { ipAddress: '', subnetMask: '', standardGateway: '' })

  expect([changed.status, cleared.status]).toEqual([200, 200])
  expect([...counts, await found('198.51.100.8')]).toEqual([0, 1, 0])
})

describe('the OU', () => {
  test('is written as the own value of its variable, and an empty text deletes that', async () => {
    const { id } = await given.computer()

    const [set, changed, cleared] = [
      await writer.call(updateComputer, { params: { id }, body: { ou: 'OU=One' } }),
      await writer.call(updateComputer, { params: { id }, body: { ou: 'OU=Two' } }),
      await writer.call(updateComputer, { params: { id }, body: { ou: '' } }),
    ]

    const own = await db.selectFrom('computer_variables').select('value').where('computer_id', '=', id).execute()
    expect([set, changed, cleared].map(({ body }) => body.ou)).toEqual(['OU=One', 'OU=Two', null])
    expect(own).toEqual([])
  })

  test('is shown as it is in effect: a value forced by a group wins over the own one', async () => {
    const [group, computer] = [await given.group(), await given.computer()]
    await given.member(group, computer)
    await sql`insert into group_variables (group_id, variable_id, value, is_forced)
      values (${group.id}, ${(await ouVariable()).id}, 'OU=Forced', true)`.execute(db)

    const set = await writer.call(updateComputer, { params: { id: computer.id }, body: { ou: 'OU=Own' } })
    await db.deleteFrom('group_variables').where('group_id', '=', group.id).execute()

    expect(set.body.ou).toBe('OU=Forced')
    expect((await read(computer.id)).ou).toBe('OU=Own')
  })
})

test('an empty serial number deletes the whole BIOS record, another one changes only the number', async () => {
  const { id } = await given.computer()
  await db.insertInto('bios_records').values({ computer_id: id, serial_number: 'A', manufacturer: 'Contoso' }).execute()
  const records = () =>
    db.selectFrom('bios_records').select(['serial_number', 'manufacturer']).where('computer_id', '=', id).execute()

  const changed = await writer.call(updateComputer, { params: { id }, body: { serialNumber: 'B' } })
  const kept = await records()
  const cleared = await writer.call(updateComputer, { params: { id }, body: { serialNumber: '' } })

  expect([changed.body.serialNumber, cleared.body.serialNumber]).toEqual(['B', null])
  expect(kept).toEqual([{ serial_number: 'B', manufacturer: 'Contoso' }])
  expect(await records()).toEqual([])
})

test.each([
  ['name', { name: '' }],
  ['name', { name: '  ' }],
  ['domain', { domain: '' }],
  ['macAddress', { macAddress: '' }],
  ['macAddress', { macAddress: 'xyz' }],
  ['uuid', { uuid: 'x' }],
  ['ipAddress', { ipAddress: '300.0.0.1', subnetMask: '255.0.0.0' }],
  ['subnetMask', { ipAddress: '192.0.2.1' }],
  ['subnetMask', { subnetMask: '255.0.0.0' }],
  ['standardGateway', { standardGateway: '192.0.2.1' }],
  ['isDomain', { isDomain: '' }],
  ['id', { id: 5 }],
])('what would not be a valid computer is refused by name, and nothing changes: %s %j', async (name, change) => {
  const { id } = await given.computer()
  const before = await fingerprints(db)

  const refused = await patch(id, { inventoryId: 'not-this', ...change })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name }] } })
  expect(await fingerprints(db)).toEqual(before)
})

test.each([
  ['subnetMask', { ipAddress: '' }],
  ['subnetMask', { subnetMask: '' }],
  ['standardGateway', { ipAddress: '', subnetMask: '' }],
  ['macAddress', { uuid: emptyGuid, macAddress: '' }],
])('a part that the rest needs cannot be cleared: %s %j', async (name, change) => {
  const { id } = await given.computer({
    uuid: '11111111-2222-3333-4444-555555555555',
    ip_address: '192.0.2.9',
    subnet_mask: '255.255.255.0',
    standard_gateway: '192.0.2.1',
  })
  const before = await fingerprints(db)

  const refused = await patch(id, change)

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name }] } })
  expect(await fingerprints(db)).toEqual(before)
})

test.each([
  ['DuplicateName', { name: 'OWNED' }],
  ['DuplicateMac', { macAddress: 'AA:BB:CC:DD:EE:02' }],
])('%s is the answer when it belongs to another computer, and nothing changes', async (problem, change) => {
  if (!(await db.selectFrom('computers').select('id').where('name', '=', 'owned').executeTakeFirst()))
    await given.computer({ name: 'owned', mac: 'aabbccddee02' })
  const { id } = await given.computer()
  const before = await fingerprints(db)

  const refused = await patch(id, { ...change, ou: 'OU=x', serialNumber: 'S' })

  expect(refused).toMatchObject({ status: 409, problem })
  expect(await fingerprints(db)).toEqual(before)
})

test('a computer may be given the name and MAC address that it has, in another form', async () => {
  const { id } = await given.computer({ name: 'same', mac: '0a0b0c0d0e0f' })

  const updated = await patch(id, { name: 'SAME', macAddress: '0A:0B:0C:0D:0E:0F' })

  expect(updated).toMatchObject({ status: 200, raw: { hostname: 'SAME', macAddress: '0A:0B:0C:0D:0E:0F' } })
})

test('an unknown computer is 404, a wrong value is told first, and a body is needed', async () => {
  const before = await fingerprints(db)

  const [unknown, wrong, missing] = [
    await patch(2_000_000_000, { name: 'x' }),
    await patch(2_000_000_000, { macAddress: 'x' }),
    await writer.send({ method: 'PATCH', url: '/api/computer/1' }),
  ]

  expect(unknown).toMatchObject({ status: 404, problem: 'ComputerNotFound', raw: { clientId: 2_000_000_000 } })
  expect([wrong.status, missing.status]).toEqual([400, 400])
  expect(await fingerprints(db)).toEqual(before)
})

test('changes of one computer at the same time do not lose each other', async () => {
  const { id } = await given.computer()
  const changes = [
    { name: 'together' },
    { inventoryId: 'INV-T' },
    { uuid: '77777777-2222-3333-4444-555555555555' },
    { pxeSupport: true },
    { custom: { Custom01: 'one' } },
    { custom: { Custom30: 'thirty' } },
    { ou: 'OU=Together' },
    { serialNumber: 'SN-T' },
    { isDomain: false },
    { domain: 'together.example.org' },
  ]

  const results = await Promise.all(changes.map((change) => patch(id, change)))

  expect(results.map(({ status }) => status)).toEqual(changes.map(() => 200))
  expect(await read(id)).toMatchObject({
    hostname: 'together',
    domain: 'together.example.org',
    isDomain: false,
    inventoryId: 'INV-T',
    uuid: '77777777-2222-3333-4444-555555555555',
    pxeSupport: true,
    custom: { Custom01: 'one', Custom30: 'thirty' },
    ou: 'OU=Together',
    serialNumber: 'SN-T',
  })
})

test('two changes at the same time cannot together leave a computer without MAC address and uuid', async () => {
  const { id } = await given.computer({ uuid: '11111111-2222-3333-4444-555555555555' })

  const results = await Promise.all([patch(id, { macAddress: '' }), patch(id, { uuid: emptyGuid })])

  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 400])
})
