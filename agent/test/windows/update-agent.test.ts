import { expect, test } from 'vitest'
import { describeHresult } from '../../src/platform/windows/com/hresult.ts'
import { installUpdates } from '../../src/platform/windows/patches/install-updates.ts'
import { openUpdateAgent } from '../../src/platform/windows/patches/update-agent.ts'
import { type FakeUpdate, fakeUpdateAgent } from './fake-update-agent.ts'

const cumulative: FakeUpdate = { id: 'cumulative', kb: '5035853', needsRestart: true, needsLicence: true }
const other: FakeUpdate = { id: 'other', kb: '5036000', needsLicence: true }
const released = [{ key: 'KB5035853', product: 'Windows 11' }]

async function install(computer: Parameters<typeof fakeUpdateAgent>[0], patches = released) {
  const fake = fakeUpdateAgent(computer)
  const agent = await openUpdateAgent(fake.create)
  const outcome = await installUpdates(agent, patches, 'Windows 11', () => {})
  agent.close()
  return { fake, outcome }
}

test('only the released update is licensed, downloaded and installed, and every object is released', async () => {
  const { fake, outcome } = await install({ updates: [other, cumulative] })

  expect(outcome).toEqual({ rebootRequired: true, failures: [] })
  for (const ids of [fake.accepted, fake.downloaded, fake.installed]) expect([...ids]).toEqual(['cumulative'])
  expect(fake.open()).toBe(0)
})

test('a scan lists software that is missing or installed, without drivers and hidden updates', async () => {
  const fake = fakeUpdateAgent({
    updates: [
      cumulative,
      { id: 'installed', kb: '1', isInstalled: true },
      { id: 'hidden', kb: '2', isHidden: true },
      { id: 'driver', kb: '3', type: 'Driver' },
    ],
  })
  const agent = await openUpdateAgent(fake.create)

  const found = await agent.search()
  await agent.search()
  agent.close()

  expect(found.map(({ updateId, isInstalled }) => [updateId, isInstalled])).toEqual([
    ['cumulative', false],
    ['installed', true],
  ])
  expect(found[0]).toMatchObject({ kbArticleIds: ['5035853'], categories: [{ type: 'Product', name: 'Windows 11' }] })
  expect(fake.open()).toBe(0)
})

test('the history dates installations that have succeeded, and neither removals nor failures', async () => {
  const [first, later] = [new Date('2026-02-12T03:00:00.000Z'), new Date('2026-03-12T03:00:00.000Z')]
  const fake = fakeUpdateAgent({
    updates: [],
    history: [
      { id: 'installed', at: first },
      { id: 'removed', at: later, operation: 2 },
      { id: 'failed', at: later, result: 4 },
    ],
  })
  const agent = await openUpdateAgent(fake.create)
  const fresh = await openUpdateAgent(fakeUpdateAgent({ updates: [] }).create)

  expect(await agent.history()).toEqual([{ updateId: 'installed', at: first }])
  expect(await fresh.history()).toEqual([])
  agent.close()
  expect(fake.open()).toBe(0)
})

test('a restart that one update requires stays required after the next one', async () => {
  const patches = [...released, { key: 'KB5036000', product: 'Windows 11' }]
  const { outcome } = await install({ updates: [cumulative, other] }, patches)

  expect(outcome).toEqual({ rebootRequired: true, failures: [] })
})

test.each([
  ['download', { downloadError: 0x8024402c }, '0x8024402c (the update service or its proxy was not found)'],
  ['installation', { installError: 0x80240017 }, '0x80240017 (the update does not apply to this computer)'],
])('a failed %s is reported with the code of the update, and the next one is installed', async (_, fault, code) => {
  const patches = [...released, { key: 'KB5036000', product: 'Windows 11' }]
  const { fake, outcome } = await install({ updates: [{ ...cumulative, ...fault }, other] }, patches)

  expect(outcome).toEqual({ rebootRequired: false, failures: [{ key: 'KB5035853', reason: `it failed: ${code}` }] })
  expect([...fake.installed]).toEqual(['other'])
  expect(fake.open()).toBe(0)
})

test('an update that may ask for input is not downloaded, and a bundle, which does not say so, is installed', async () => {
  const asking = await install({ updates: [{ ...cumulative, asksUser: true }] })
  const bundle = await install({ updates: [{ ...cumulative, isBundle: true }] })

  expect(asking.outcome.failures).toMatchObject([{ reason: expect.stringContaining('It may ask for input') }])
  expect([...asking.fake.downloaded]).toEqual([])
  expect([...bundle.fake.installed]).toEqual(['cumulative'])
})

test('if Windows must be restarted first, the updates are downloaded and the reason is reported', async () => {
  const { fake, outcome } = await install({ updates: [cumulative], needsRestartBefore: true })

  expect(outcome.failures).toEqual([
    { key: 'KB5035853', reason: 'Windows must be restarted before it installs updates.' },
  ])
  expect([...fake.downloaded]).toEqual(['cumulative'])
  expect([...fake.installed]).toEqual([])
})

test('an incomplete search is an error with its code, rather than a computer without missing patches', async () => {
  const fake = fakeUpdateAgent({ updates: [], searchWarning: 0x8024401c })
  const agent = await openUpdateAgent(fake.create)

  await expect(agent.search()).rejects.toThrow('incomplete: 0x8024401c (the update service did not answer in time)')
})

test('a search that does not end fails at its time limit', async () => {
  const fake = fakeUpdateAgent({ updates: [], isSearchStuck: true })
  const agent = await openUpdateAgent(fake.create, 20)

  await expect(agent.search()).rejects.toThrow('The search for updates takes longer than 1 minutes.')
})

test.each([
  [0x80240017, '0x80240017 (the update does not apply to this computer)'],
  [0x80070005 | 0, '0x80070005 (access denied)'],
  [0x8024402c | 0, '0x8024402c (the update service or its proxy was not found)'],
  [0x8024dead | 0, '0x8024dead'],
])('the code %i is shown in hexadecimal digits, with a sentence if it is a common one', (code, text) => {
  expect(describeHresult(code)).toBe(text)
})
