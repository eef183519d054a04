import { expect, test } from 'vitest'
import { run } from '../src/commands/run.ts'
import { computerInventory, type InventorySource } from '../src/inventory/source.ts'
import { noPatches } from '../src/patches/source.ts'
import { linux } from '../src/platform/linux/index.ts'
import { windowsSections } from '../src/platform/windows/inventory/sections.ts'
import { stateFolder } from '../src/state/state-folder.ts'
import { recordedAccess } from './windows/recorded-access.ts'
import { laptop } from './windows/recorded-laptop.ts'
import { openWorld } from './world.ts'

const hashes = { disks: 'd'.repeat(64), system: 'e'.repeat(64) }
const source: InventorySource = {
  collectSections: async () => ({
    disks: { hash: hashes.disks, body: { items: [{ name: 'sda' }] } },
    system: { hash: hashes.system, body: { item: { name: 'pc1' } } },
  }),
}

const options = { once: true, preOs: false, rebootCommand: 'true' }

const once = (state: string, inventory: InventorySource) =>
  run(stateFolder(linux, state), options, { inventory, patches: noPatches })

test('a contact reports the hashes of all sections, and the agent sends only those that the server requests', async () => {
  const { server, state } = await openWorld()
  server.wantedSections = ['disks', 'unheardOf']

  await once(state, source)

  expect(server.contacts[0]?.sections).toEqual(hashes)
  expect(server.sections).toMatchObject({ disks: { hash: hashes.disks, items: [{ name: 'sda' }] } })
  expect(Object.keys(server.sections)).toEqual(['disks'])
})

test('the inventory of a contact is at most as old as the settings allow', async () => {
  const { server, state } = await openWorld()
  server.settings = { hash: 'h', values: { inventoryIntervalMinutes: 5 } }
  const allowedAges: number[] = []
  const recording: InventorySource = {
    collectSections: async (age) => {
      allowedAges.push(age)
      return {}
    },
  }
  const inventory = computerInventory({ inventory: () => windowsSections(recordedAccess(laptop)) })

  for (let contacts = 0; contacts < 2; contacts++) await once(state, recording)
  const [first, recent, fresh] = [
    await inventory.collectSections(5),
    await inventory.collectSections(5),
    await inventory.collectSections(0),
  ]

  // The first contact brings the settings.
  expect(allowedAges).toEqual([60, 5])
  expect(recent).toBe(first)
  expect(fresh).not.toBe(first)
})

test.each([
  ['a refresh', { kind: 'Refresh' }],
  ['a scan of the inventory', { package: { kind: 'InventoryScan' } }],
] as const)('%s sends the whole inventory', async (_, given) => {
  const { server, state } = await openWorld()
  const workId = server.give(given)

  await once(state, source)

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(server.sections).toMatchObject({ disks: { items: [{ name: 'sda' }] }, system: { item: { name: 'pc1' } } })
})

const requestsOf = ({ calls }: { calls: { method: string; path: string }[] }) =>
  calls.filter(({ method }) => method === 'PUT').map(({ path }) => path.replace('/agent/v1/', ''))

test('several sections are sent in one request', async () => {
  const { server, state } = await openWorld()
  server.wantedSections = ['disks', 'system']

  await once(state, source)

  expect(requestsOf(server)).toEqual(['inventory'])
})

test('if one of several sections is refused, the others are sent one by one', async () => {
  const { server, state } = await openWorld()
  server.wantedSections = ['disks', 'system']
  server.interfere = ({ path }, answer) => {
    const isRefused = path.endsWith('/inventory') || path.endsWith('/disks')
    if (isRefused) answer.writeHead(400).end('{}')
    return isRefused
  }

  await once(state, source)

  expect(requestsOf(server)).toEqual(['inventory', 'inventory/disks', 'inventory/system'])
  expect(Object.keys(server.sections)).toEqual(['system'])
})

test('sections that are too large together are sent one by one', async () => {
  const { server, state } = await openWorld()
  server.wantedSections = ['disks', 'system']
  const { disks, system } = await source.collectSections(0)
  const large = { hash: hashes.disks, body: { items: Array.from({ length: 600 }, () => 'x'.repeat(1000)) } }

  await once(state, { collectSections: async () => ({ ...(disks && { disks: large }), ...(system && { system }) }) })

  expect(requestsOf(server)).toEqual(['inventory/disks', 'inventory/system'])
})

test('an inventory that cannot be collected or is refused does not prevent work', async () => {
  const { server, state } = await openWorld()
  const first = server.give()
  await once(state, { collectSections: () => Promise.reject(new Error('no disks here')) })
  const second = server.give()
  server.wantedSections = ['disks']
  server.interfere = ({ method }, answer) => {
    if (method === 'PUT') answer.writeHead(400).end('{}')
    return method === 'PUT'
  }

  await once(state, source)

  for (const workId of [first, second]) expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
})

test('the inventory command names the sections that fail, and prints the others', async () => {
  const { start, environment } = await openWorld()
  const broken = `import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.networkInterfaces = () => { throw new Error('no network here') }
    syncBuiltinESMExports()`
  environment.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(broken)}`

  const { code, output } = await start('inventory').ended

  expect(code).toBe(1)
  expect(output).toContain('The section system could not be collected. no network here')
  expect(output).toContain('"computerSystem":')
})
