import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { createComputer } from '../../src/features/computers/api/create-computer.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputerGroups } from '../../src/features/computers/api/list-computer-groups.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('computer.write')
const reader = as('computer.read')

let bodies = 0
/** A valid request body with a unique name and MAC address. */
function computer(change: object = {}) {
  bodies += 1
  return {
    name: `new-${bodies}`,
    domain: 'corp.example.org',
    isDomain: true,
    macAddress: bodies.toString(16).padStart(12, '0'),
    ...change,
  }
}
const post = (payload: object) => writer.send({ method: 'POST', url: '/api/computer', payload })

test('a computer is created with all given properties, and is in no group', async () => {
  const before = Date.now()

  const created = await writer.call(createComputer, {
    body: {
      name: 'pc-1',
      domain: 'corp.example.org',
      isDomain: true,
      inventoryId: 'INV-1',
      macAddress: '00-1B-44-11-3a-b7',
      uuid: '3F0C9A52-7c1e-4f0a-9d55-0b8f6f8c1b11',
      pxeSupport: true,
      ipAddress: '192.0.2.17',
      subnetMask: '255.255.255.0',
      standardGateway: '192.0.2.1',
      ou: 'OU=Own',
      serialNumber: 'SN-1',
    },
  })

  const { id } = created.body
  expect(created.status).toBe(200)
  expect(created.body).toEqual({
    id,
    hostname: 'pc-1',
    domain: 'corp.example.org',
    isDomain: true,
    macAddress: '00:1B:44:11:3A:B7',
    uuid: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11',
    lastSeenUtc: null,
    connectedNow: false,
    serialNumber: 'SN-1',
    lastModified: expect.any(String),
    inventoryDate: null,
    inventoryId: 'INV-1',
    ou: 'OU=Own',
    pxeSupport: true,
    isPxeActive: false,
    custom: {},
  })
  expect(Date.parse(created.body.lastModified ?? '')).toBeGreaterThanOrEqual(before - 1)
  expect((await reader.call(getComputer, { params: { id } })).body).toEqual(created.body)
  expect((await reader.call(listComputerGroups, { params: { id } })).body.totalCount).toBe(0)
  expect((await reader.call(searchComputers, { body: { ipAddress: '192.0.2.17' } })).body.items).toEqual([created.body])
})

test('a uuid or a MAC address is enough, and a computer without a uuid has the empty GUID', async () => {
  const [byMac, byUuid] = [
    await writer.call(createComputer, { body: computer({ uuid: '00000000-0000-0000-0000-000000000000' }) }),
    await writer.call(createComputer, {
      body: computer({ macAddress: null, uuid: '11111111-2222-3333-4444-555555555555' }),
    }),
  ]

  expect(byMac.body).toMatchObject({ uuid: '00000000-0000-0000-0000-000000000000', pxeSupport: true })
  expect(byUuid.body).toMatchObject({ uuid: '11111111-2222-3333-4444-555555555555', macAddress: null })
})

test('two computers may have the same uuid', async () => {
  const uuid = '99999999-2222-3333-4444-555555555555'

  const created = [await post(computer({ uuid })), await post(computer({ uuid }))]

  expect(created.map(({ status }) => status)).toEqual([200, 200])
})

test('an empty text in a new computer means no value', async () => {
  const empty = { inventoryId: '', ipAddress: '', subnetMask: '', standardGateway: '', ou: '', serialNumber: '' }

  const { body } = await writer.call(createComputer, { body: computer(empty) })

  expect(body).toMatchObject({ inventoryId: null, ou: null, serialNumber: null })
})

test('blanks around the name and the domain are removed', async () => {
  const { body } = await writer.call(createComputer, {
    body: computer({ name: '  trimmed ', domain: ' example.org ' }),
  })

  expect(body).toMatchObject({ hostname: 'trimmed', domain: 'example.org' })
})

test.each(['001b44113aff', '00:1B:44:11:3A:FF', '00-1b-44-11-3a-ff', '001b.4411.3aff'])(
  'the MAC address %s is accepted, shown in the one spelling, and found by any part of it',
  async (macAddress) => {
    const { body } = await writer.call(createComputer, { body: computer({ macAddress }) })
    const { body: found } = await reader.call(searchComputers, { body: { macAddress: macAddress.slice(0, -1) } })
    await writer.call(deleteComputer, { params: { id: body.id } })

    expect(body.macAddress).toBe('00:1B:44:11:3A:FF')
    expect(found.items.map(({ macAddress }) => macAddress)).toEqual(['00:1B:44:11:3A:FF'])
  },
)

test.each([
  ['name', { name: undefined }],
  ['domain', { domain: undefined }],
  ['isDomain', { isDomain: undefined }],
  ['name', { name: '' }],
  ['name', { name: '   ' }],
  ['name', { name: null }],
  ['name', { name: 'x'.repeat(256) }],
  ['domain', { domain: ' ' }],
  ['domain', { domain: null }],
  ['isDomain', { isDomain: 'true' }],
  ['macAddress', { macAddress: null }],
  ['macAddress', { macAddress: '' }],
  ['macAddress', { macAddress: undefined, uuid: '00000000-0000-0000-0000-000000000000' }],
  ['macAddress', { macAddress: '001b44113ab' }],
  ['macAddress', { macAddress: '001b44113ab7a' }],
  ['macAddress', { macAddress: '001b44113abg' }],
  ['macAddress', { macAddress: '00::1b:44:11:3a:b7' }],
  ['macAddress', { macAddress: '00 1b 44 11 3a b7' }],
  ['macAddress', { macAddress: '00:1b:44:11:3a:b7:' }],
  ['uuid', { uuid: 'not-a-uuid' }],
  ['uuid', { uuid: 'urn:uuid:3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' }],
  ['uuid', { uuid: '' }],
  ['pxeSupport', { pxeSupport: null }],
  ['ipAddress', { ipAddress: '192.0.2', subnetMask: '255.255.255.0' }],
  ['ipAddress', { ipAddress: '192.0.2.256', subnetMask: '255.255.255.0' }],
  ['ipAddress', { ipAddress: '2001:db8::1', subnetMask: '255.255.255.0' }],
  ['subnetMask', { ipAddress: '192.0.2.17' }],
  ['subnetMask', { ipAddress: '192.0.2.17', subnetMask: '' }],
  ['subnetMask', { ipAddress: '192.0.2.17', subnetMask: '255.0.255.0' }],
  ['subnetMask', { ipAddress: '192.0.2.17', subnetMask: '0.0.0.0' }],
  ['subnetMask', { ipAddress: '192.0.2.17', subnetMask: '24' }],
  ['subnetMask', { subnetMask: '255.255.255.0' }],
  ['standardGateway', { standardGateway: '192.0.2.1' }],
  ['standardGateway', { ipAddress: '192.0.2.17', subnetMask: '255.255.255.0', standardGateway: 'router' }],
  ['standardGateway', { ipAddress: '192.0.2.17', subnetMask: '255.255.255.0', standardGateway: '192.0.3.1' }],
  ['standardGateway', { ipAddress: '192.0.2.17', subnetMask: '255.255.255.240', standardGateway: '192.0.2.1' }],
  ['custom', { custom: { Custom01: 'x' } }],
  ['hostname', { hostname: 'x' }],
])('an invalid %s is refused by name, and nothing is stored: %j', async (name, change) => {
  const before = await fingerprints(db)

  const refused = await post(computer(change))

  expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest', raw: { errors: [{ in: 'body', name }] } })
  expect(await fingerprints(db)).toEqual(before)
})

test.each([
  ['DuplicateName', { name: 'TAKEN', domain: 'Corp.Example.ORG' }],
  ['DuplicateName', { name: ' taken ' }],
  ['DuplicateMac', { macAddress: 'AA:BB:cc:dd:ee:01' }],
  ['DuplicateMac', { macAddress: 'aabb.ccdd.ee01' }],
])('a name in a domain and a MAC address belong to one computer only: %s %j', async (problem, change) => {
  await post(computer({ name: 'taken', macAddress: 'aa-bb-cc-dd-ee-01' }))
  const before = await fingerprints(db)

  const refused = await post(computer(change))

  expect(refused).toMatchObject({ status: 409, problem })
  expect(await fingerprints(db)).toEqual(before)
})

test('computers in different domains may have the same name', async () => {
  await given.computer({ name: 'twin', domain: 'one.example.org' })

  const created = await post(computer({ name: 'twin', domain: 'two.example.org' }))

  expect(created.status).toBe(200)
})

const deeplyNested = `${'['.repeat(90)}${']'.repeat(90)}`

test.each([
  ['a text', '"old client"'],
  ['null', 'null'],
  ['an object', '{"any":["thing"]}'],
  ['a value nested 90 levels deep', deeplyNested],
])('a description is accepted and ignored, even %s', async (_, description) => {
  const body = computer()

  const created = await writer.send({
    method: 'POST',
    url: '/api/computer',
    headers: { 'content-type': 'application/json', 'idempotency-key': body.name },
    payload: JSON.stringify(body).replace(/}$/, `,"description":${description}}`),
  })

  const audited = await as('admin.manage').call(listAuditEntries, { query: { operation: 'createComputer', top: 1 } })
  expect(created.status).toBe(200)
  expect(created.raw).not.toHaveProperty('description')
  expect(audited.body.items[0]?.request).toEqual({ body })
})

test('when a hundred requests create the same name in different cases at once, exactly one succeeds', async () => {
  const requests = Array.from({ length: 100 }, (_, n) =>
    computer(n % 2 ? { name: 'RACE', domain: 'race.example.org' } : { name: 'race', domain: 'RACE.example.org' }),
  )

  const results = await Promise.all(requests.map(post))

  const found = await reader.call(searchComputers, { body: { hostname: 'race', domain: 'race.example.org' } })
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(results.filter(({ status, problem }) => status === 409 && problem === 'DuplicateName')).toHaveLength(99)
  expect(found.body.totalCount).toBe(1)
})

test('when a hundred requests create the same MAC address in different forms at once, exactly one succeeds', async () => {
  const forms = ['DE:AD:BE:EF:00:01', 'de-ad-be-ef-00-01', 'dead.beef.0001', 'deadbeef0001']

  const results = await Promise.all(
    Array.from({ length: 100 }, (_, n) => post(computer({ macAddress: forms[n % forms.length] }))),
  )

  const found = await reader.call(searchComputers, { body: { macAddress: 'deadbeef0001' } })
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(results.filter(({ status, problem }) => status === 409 && problem === 'DuplicateMac')).toHaveLength(99)
  expect(found.body.totalCount).toBe(1)
})
