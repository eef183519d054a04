import { expect, test } from 'vitest'
import { installUpdates } from '../../src/platform/windows/patches/install-updates.ts'
import { toPatchScan } from '../../src/platform/windows/patches/scanned-patches.ts'
import type { InstalledUpdate, UpdateAgent, WindowsUpdate } from '../../src/platform/windows/patches/update-agent.ts'
import { recordedUpdates } from './recorded-updates.ts'

const scannedAt = new Date('2026-03-14T10:00:00.000Z')
const [cumulative, tool, old, driverless] = recordedUpdates
const scanOf = (updates: readonly WindowsUpdate[]) => toPatchScan(updates, [], 'Windows 11', scannedAt).patches

test('an update is reported with its number, product, severity and type', () => {
  const history = [{ updateId: old?.updateId ?? '', at: new Date('2026-02-12T03:00:00.000Z') }]

  const scan = toPatchScan(recordedUpdates, history, 'Windows 11 Enterprise', scannedAt)

  expect(scan).toMatchObject({ scannedUtc: '2026-03-14T10:00:00.000Z', definitionUtc: '2026-03-13T00:00:00.000Z' })
  expect(scan.patches[0]).toEqual({
    key: 'KB5035853',
    product: 'Windows 11',
    status: 'Missing',
    installedUtc: null,
    name: '2026-03 Cumulative Update for Windows 11 Version 23H2 for x64-based Systems (KB5035853)',
    qNumber: 'KB5035853',
    bulletinId: null,
    title: '2026-03 Cumulative Update for Windows 11 Version 23H2 for x64-based Systems (KB5035853)',
    url: 'https://support.vendor.example.org/help/5035853',
    severity: 'Critical',
    type: 'SecurityPatch',
    releaseDate: '2026-03-10',
    sizeBytes: 734003200,
    cves: ['CVE-2026-12345'],
  })
  expect(scan.patches.slice(1)).toMatchObject([
    { key: 'KB2267602', type: 'SecurityTool', product: 'Microsoft Defender Antivirus', severity: null },
    { key: 'KB5034765', status: 'Installed', installedUtc: '2026-02-12T03:00:00.000Z', type: 'SecurityPatch' },
    {
      key: driverless?.updateId,
      qNumber: null,
      product: 'Windows 11 Enterprise',
      type: 'NonSecurityPatch',
      sizeBytes: null,
    },
  ])
})

test('an article of which a newer edition is missing is missing', () => {
  if (!tool) throw new Error('no update')
  const before = { ...tool, updateId: 'earlier', isInstalled: true }

  expect(scanOf([tool, before])).toMatchObject([{ key: 'KB2267602', status: 'Missing' }])
  expect(scanOf([before, tool])).toMatchObject([{ key: 'KB2267602', status: 'Missing' }])
})

test.each([
  ['b54e7d24-7add-428f-8b75-90a396fa584f', 'SoftwareDistribution'],
  ['3689bdc8-b205-4af4-8d4a-a63924c5e9d5', 'SoftwareDistribution'],
  ['B4832BD8-E735-4761-8DAF-37F882276DAB', 'SecurityTool'],
  ['0fa1201d-4330-4fa8-8ae9-b877473b6441', 'SecurityPatch'],
  ['28bc880e-0592-4cbf-8f95-c79b17911d5f', 'NonSecurityPatch'],
])('an update of the class %s is a %s', (id, type) => {
  if (!driverless) throw new Error('no update')
  const categories = [{ id, type: 'UpdateClassification', name: 'in the language of the system' }]

  expect(scanOf([{ ...driverless, categories }])).toMatchObject([{ type }])
})

type Results = Record<string, Partial<InstalledUpdate> | Error>

function agentWith(results: Results = {}) {
  const installed: string[] = []
  const agent: UpdateAgent = {
    search: async () => [...recordedUpdates],
    history: async () => [],
    install: async (updateId) => {
      installed.push(updateId)
      const result = results[updateId]
      if (result instanceof Error) throw result
      return { updateId, resultCode: 2, hresult: 0, needsRestart: false, ...result }
    },
    close: () => {},
  }
  return { agent, installed }
}

const released = (key: string, product = 'Windows 11') => ({ key, product })
const [cumulativeId = '', toolId = ''] = [cumulative?.updateId, tool?.updateId]

test('exactly the released updates are installed', async () => {
  const { agent, installed } = agentWith({ [cumulativeId]: { needsRestart: true } })
  const lines: string[] = []

  const outcome = await installUpdates(agent, [released('kb5035853')], 'Windows 11', (line) => lines.push(line))

  expect(installed).toEqual([cumulativeId])
  expect(outcome).toEqual({ rebootRequired: true, failures: [] })
  expect(lines).toEqual([`Installed: kb5035853 (${cumulative?.title})`])
})

test('an update that is released for another product, is installed or is not offered stays as it is', async () => {
  const { agent, installed } = agentWith()
  const lines: string[] = []
  const patches = [released('KB5035853', 'Windows 10'), released('KB5034765'), released('KB1')]

  const outcome = await installUpdates(agent, patches, 'Windows 11', (line) => lines.push(line))

  expect(installed).toEqual([])
  expect(outcome).toEqual({ rebootRequired: false, failures: [] })
  expect(lines).toEqual(['Not needed: KB5035853', 'Installed before: KB5034765', 'Not needed: KB1'])
})

test('an update that succeeds with errors is installed unless it states one', async () => {
  const install = async (hresult: number) => {
    const { agent } = agentWith({ [cumulativeId]: { resultCode: 3, hresult } })
    return (await installUpdates(agent, [released('KB5035853')], 'Windows 11', () => {})).failures
  }

  expect(await install(0)).toEqual([])
  expect(await install(0x80070005 | 0)).toMatchObject([{ reason: expect.stringContaining('succeeded with errors') }])
})

test('an update that fails is reported with its reason and does not stop the others', async () => {
  const { agent, installed } = agentWith({
    [cumulativeId]: { resultCode: 4, hresult: 0x80240016 | 0 },
    [toolId]: new Error('the update service is gone'),
  })
  const patches = [released('KB5035853'), released('KB2267602', 'Microsoft Defender Antivirus')]

  const { failures } = await installUpdates(agent, patches, 'Windows 11', () => {})

  expect(installed).toEqual([cumulativeId, toolId])
  expect(failures).toEqual([
    {
      key: 'KB5035853',
      reason: 'it failed: 0x80240016 (another installation is in progress, or a restart is pending)',
    },
    { key: 'KB2267602', reason: 'the update service is gone' },
  ])
})
