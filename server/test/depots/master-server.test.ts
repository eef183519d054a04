import { expect, test } from 'vitest'
import { listDepotServers } from '../../src/features/depots/api/synchronisation/list-depot-servers.ts'
import { describeThisMachine, ensureMasterServer } from '../../src/features/depots/master-server.ts'
import { openWorld, type World } from '../world/open-world.ts'

const machine = {
  name: 'muster01',
  domain: 'corp.example.org',
  macAddress: '02:00:00:00:00:0a',
  uuid: crypto.randomUUID(),
}
const listMasterServers = async ({ as }: World) =>
  (await as('computer.read').call(listDepotServers)).body.items.filter(({ role }) => role === 'MasterServer')

test('the machine that runs Muster becomes the only master server, even if several nodes start at once', async () => {
  const world = await openWorld()

  await Promise.all(Array.from({ length: 10 }, () => ensureMasterServer(world.db, machine)))

  expect(await listMasterServers(world)).toMatchObject([{ hostname: 'muster01', domain: 'corp.example.org' }])
})

test('an existing master server keeps its role', async () => {
  const world = await openWorld()
  const master = await world.given.computer({ role: 'MasterServer' })

  await ensureMasterServer(world.db, machine)

  expect(await listMasterServers(world)).toMatchObject([{ clientId: master.id }])
})

test.each([
  { name: 'MUSTER01', domain: 'CORP.example.org', mac: '0200000000ff' },
  { name: 'elsewhere', domain: 'corp.example.org', mac: '02-00-00-00-00-0A' },
])('an existing computer with the same name or MAC address becomes the master server: %j', async (known) => {
  const world = await openWorld()
  const computer = await world.given.computer(known)

  await ensureMasterServer(world.db, machine)

  expect(await listMasterServers(world)).toMatchObject([{ clientId: computer.id }])
})

test('a machine is described with the same name and UUID at every start', async () => {
  const [first, second] = [await describeThisMachine(), await describeThisMachine()]

  expect(first).toEqual(second)
  expect(first.name).not.toBe('')
  expect(first.uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
})

test('a machine without a network card becomes the master server, too', async () => {
  const world = await openWorld()

  await ensureMasterServer(world.db, { ...machine, macAddress: null })

  expect(await listMasterServers(world)).toHaveLength(1)
})
