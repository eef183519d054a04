import { describe, expect, test } from 'vitest'
import { createComputer } from '../../src/features/computers/api/create-computer.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { updateCustomField } from '../../src/features/custom-fields/api/update-custom-field.ts'
import { getBios } from '../../src/features/inventory/api/get-bios.ts'
import { listComputerVariables } from '../../src/features/variables/api/computers/list-computer-variables.ts'
import { searchVariableDefinitions } from '../../src/features/variables/api/definitions/search-variable-definitions.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('computer.write')
const reader = as('computer.read')
for (const slot of ['Custom01', 'Custom30'])
  await writer.call(updateCustomField, { params: { slot }, body: { isActive: true } })

const emptyGuid = '00000000-0000-0000-0000-000000000000'
const patch = (id: number, payload: object) => writer.send({ method: 'PATCH', url: `/api/computer/${id}`, payload })
const read = async (id: number) => (await reader.call(getComputer, { params: { id } })).body
const ouVariableId = async () => {
  const body = { name: 'DomainJoin.OuForComputerAccounts' }
  return (await as('package.read').call(searchVariableDefinitions, { body })).body.items[0]?.varId ?? 0
}

test('an update changes the given properties, and all others keep their values', async () => {
  const { id } = await given.computer({
    uuid: '11111111-2222-3333-4444-555555555555',
    modified_at: new Date('2026-01-01'),
  })
  const before = await read(id)

  const updated = await writer.call(updateComputer, { params: { id }, body: { name: 'renamed', pxeSupport: false } })

  const { lastModified, ...rest } = before
  expect(updated.body).toEqual({ ...rest, hostname: 'renamed', pxeSupport: false, lastModified: expect.any(String) })
  expect(Date.parse(updated.body.lastModified ?? '')).toBeGreaterThan(Date.parse(lastModified ?? ''))
  expect(await read(id)).toEqual(updated.body)
})

test('null in an update keeps every property, whatever its type', async () => {
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

test('a description in an update is ignored, even if it is nested deeply', async () => {
  const { id } = await given.computer()
  const before = await read(id)

  const updated = await writer.send({
    method: 'PATCH',
    url: `/api/computer/${id}`,
    headers: { 'content-type': 'application/json' },
    payload: `{"description":${'[{"a":'.repeat(45)}1${'}]'.repeat(45)}}`,
  })

  expect(updated).toMatchObject({ status: 200, raw: { ...before, lastModified: expect.any(String) } })
})

test('an update with the ETag of an older version is refused, and nothing changes', async () => {
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

test('an empty text in an update clears a property, and the empty GUID clears the uuid', async () => {
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
  test('the OU is stored as the own value of its variable, and an empty text deletes that value', async () => {
    const { id } = await given.computer()

    const [set, changed, cleared] = [
      await writer.call(updateComputer, { params: { id }, body: { ou: 'OU=One' } }),
      await writer.call(updateComputer, { params: { id }, body: { ou: 'OU=Two' } }),
      await writer.call(updateComputer, { params: { id }, body: { ou: '' } }),
    ]

    const own = await reader.call(listComputerVariables, { params: { id } })
    expect([set, changed, cleared].map(({ body }) => body.ou)).toEqual(['OU=One', 'OU=Two', null])
    expect(own.body.items).toEqual([])
  })

  test('the shown OU is the effective one: a value that a group forces overrides the own value', async () => {
    const [group, computer] = [await given.group(), await given.computer()]
    await given.member(group, computer)
    const params = { id: group.id, varId: await ouVariableId() }
    await as('group.write').call(setGroupVariable, { params, body: { value: 'OU=Forced', forced: true } })

    const set = await writer.call(updateComputer, { params: { id: computer.id }, body: { ou: 'OU=Own' } })
    await as('group.write').call(setGroupVariable, { params, body: { value: null } })

    expect(set.body.ou).toBe('OU=Forced')
    expect((await read(computer.id)).ou).toBe('OU=Own')
  })
})

test('a serial number changes only the number in the BIOS record, and an empty one deletes the whole record', async () => {
  const { id } = await given.computer()
  await db.insertInto('bios_records').values({ computer_id: id, serial_number: 'A', manufacturer: 'Contoso' }).execute()
  const bios = async () => (await reader.call(getBios, { params: { id } })).body

  const changed = await writer.call(updateComputer, { params: { id }, body: { serialNumber: 'B' } })
  const kept = await bios()
  const cleared = await writer.call(updateComputer, { params: { id }, body: { serialNumber: '' } })

  expect([changed.body.serialNumber, cleared.body.serialNumber]).toEqual(['B', null])
  expect(kept).toMatchObject({ serialNumber: 'B', manufacturer: 'Contoso' })
  expect(Object.values(await bios()).filter((value) => value !== null)).toEqual([])
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
])(
  'an update that would make a computer invalid is refused by name, and nothing changes: %s %j',
  async (name, change) => {
    const { id } = await given.computer()
    const before = await fingerprints(db)

    const refused = await patch(id, { inventoryId: 'not-this', ...change })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name }] } })
    expect(await fingerprints(db)).toEqual(before)
  },
)

test.each([
  ['subnetMask', { ipAddress: '' }],
  ['subnetMask', { subnetMask: '' }],
  ['standardGateway', { ipAddress: '', subnetMask: '' }],
  ['macAddress', { uuid: emptyGuid, macAddress: '' }],
])('a property that another one depends on cannot be cleared: %s %j', async (name, change) => {
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
])('an update answers %s if another computer has the value, and nothing changes', async (problem, change) => {
  const owned = { name: 'owned', domain: 'corp.example.org', isDomain: true, macAddress: 'aabbccddee02' }
  await writer.call(createComputer, { body: owned })
  const { id } = await given.computer()
  const before = await fingerprints(db)

  const refused = await patch(id, { ...change, ou: 'OU=x', serialNumber: 'S' })

  expect(refused).toMatchObject({ status: 409, problem })
  expect(await fingerprints(db)).toEqual(before)
})

test('a computer can be updated with its own name and MAC address in another form', async () => {
  const { id } = await given.computer({ name: 'same', mac: '0a0b0c0d0e0f' })

  const updated = await patch(id, { name: 'SAME', macAddress: '0A:0B:0C:0D:0E:0F' })

  expect(updated).toMatchObject({ status: 200, raw: { hostname: 'SAME', macAddress: '0A:0B:0C:0D:0E:0F' } })
})

test('updating an unknown computer answers 404, but an invalid value or a missing body answers 400 first', async () => {
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

test('concurrent updates of one computer do not overwrite each other', async () => {
  const { id } = await given.computer()
  const changes = [
    { name: 'together' },
    { inventoryId: 'INV-T' },
    { uuid: '77777777-2222-3333-4444-555555555555' },
    { pxeSupport: false },
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
    pxeSupport: false,
    custom: { Custom01: 'one', Custom30: 'thirty' },
    ou: 'OU=Together',
    serialNumber: 'SN-T',
  })
})

test('two concurrent updates cannot together leave a computer without both MAC address and uuid', async () => {
  const { id } = await given.computer({ uuid: '11111111-2222-3333-4444-555555555555' })

  const results = await Promise.all([patch(id, { macAddress: '' }), patch(id, { uuid: emptyGuid })])

  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 400])
})
