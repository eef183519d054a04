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
const mastersOf = async ({ as }: World) =>
  (await as('computer.read').call(listDepotServers)).body.items.filter(({ role }) => role === 'MasterServer')

test('the machine that Muster runs on becomes the master server once, from however many nodes', async () => {
  const world = await openWorld()

  await Promise.all(Array.from({ length: 10 }, () => ensureMasterServer(world.db, machine)))

  expect(await mastersOf(world)).toMatchObject([{ hostname: 'muster01', domain: 'corp.example.org' }])
})

test('a master server that is there stays', async () => {
  const world = await openWorld()
  const master = await world.given.computer({ role: 'MasterServer' })

  await ensureMasterServer(world.db, machine)

  expect(await mastersOf(world)).toMatchObject([{ clientId: master.id }])
})

test.each([
  { name: 'MUSTER01', domain: 'CORP.example.org', mac: '0200000000ff' },
  { name: 'elsewhere', domain: 'corp.example.org', mac: '02-00-00-00-00-0A' },
])('a computer that is known already under its name or its MAC address gets the role: %j', async (known) => {
  const world = await openWorld()
  const computer = await world.given.computer(known)

  await ensureMasterServer(world.db, machine)

  expect(await mastersOf(world)).toMatchObject([{ clientId: computer.id }])
})

test('a machine has the same name and UUID at every start', async () => {
  const [first, second] = [await describeThisMachine(), await describeThisMachine()]

  expect(first).toEqual(second)
  expect(first.name).not.toBe('')
  expect(first.uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
})

test('a machine without a network card is known by its UUID', async () => {
  const world = await openWorld()

  await ensureMasterServer(world.db, { ...machine, macAddress: null })

  expect(await mastersOf(world)).toHaveLength(1)
})
