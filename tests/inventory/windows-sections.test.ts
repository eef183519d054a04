import { expect, test } from 'vitest'
import { collectSections } from '../../agent/src/inventory/collect.ts'
import { windowsSections } from '../../agent/src/platform/windows/inventory/sections.ts'
import { patchProduct, toPatchScan } from '../../agent/src/platform/windows/patches/scanned-patches.ts'
import { type RecordedWindows, recordedAccess } from '../../agent/test/windows/recorded-access.ts'
import { laptop } from '../../agent/test/windows/recorded-laptop.ts'
import { recordedUpdates, updateOf } from '../../agent/test/windows/recorded-updates.ts'
import { wine } from '../../agent/test/windows/recorded-wine.ts'
import { PatchScanReport } from '../../server/src/channels/agent/patches/schemas.ts'
import { inventorySections } from '../../server/src/features/inventory/sections/index.ts'
import { validate } from '../../server/src/platform/validation.ts'
import { type Content, differencesBetween, type Report } from '../../server/test/inventory/compare-shapes.ts'
import { inventoryFormats, patchFormats } from '../../server/test/inventory/windows-formats.ts'
import { sectionNamesOf, sectionOf } from '../../simulator/src/machines/inventory.ts'
import { type FleetPlan, machineOf } from '../../simulator/src/machines/machine.ts'
import { patchScanOf } from '../../simulator/src/machines/patches.ts'

const startedAt = Date.parse('2026-03-02T00:00:00Z')
const plan: FleetPlan = {
  seed: 7,
  domain: 'corp.example.org',
  platforms: { windows: 1, linux: 0, macos: 0 },
  startedAt,
}
const machines = Array.from({ length: 60 }, (_, at) => machineOf(plan, at + 1))
const current = { now: startedAt, changeMinutes: 1440, packages: [], revision: 0 }

const simulated: Report[] = machines.map((machine) =>
  Object.fromEntries(sectionNamesOf(machine).map((name) => [name, sectionOf(plan, machine, name, current) as Content])),
)

async function collected(recorded: RecordedWindows): Promise<Report> {
  const sections = await collectSections(windowsSections(recordedAccess(recorded)), (name, error) => {
    throw new Error(`The section ${name} could not be collected.`, { cause: error })
  })
  return Object.fromEntries(Object.entries(sections).map(([name, { body }]) => [name, body as Content]))
}

const real = [await collected(laptop), await collected(wine)]

test('the agent and the simulator send the same sections of a Windows computer, by one schema', () => {
  for (const report of [...real, ...simulated])
    for (const { name, body } of inventorySections) {
      const content = report[name]
      if (content === undefined) continue
      // A copy, because validation converts times in place.
      const sent = { hash: 'a'.repeat(64), collectedUtc: '2026-03-14T09:26:53.000Z', ...structuredClone(content) }
      expect(() => validate('body', body, sent), name).not.toThrow()
    }
  const names = inventorySections.map(({ name }) => name).toSorted()
  expect(Object.keys(real[0] ?? {}).toSorted()).toEqual(names)
  expect([...new Set(simulated.flatMap(Object.keys))].toSorted()).toEqual(names)
})

test('each property of the inventory has the same type and form from the agent and from the simulator', () => {
  expect(differencesBetween(real, simulated, inventoryFormats)).toEqual([])
})

type Item = Record<string, unknown>

/** The reports of the simulator, with a change to one section of one computer. */
function changed(section: string, change: (item: Item) => Item): Report[] {
  return simulated.map((report, at) => {
    const content = report[section]
    if (at > 0 || content === undefined) return report
    const fresh =
      'item' in content
        ? { item: change(content.item as Item) }
        : { items: content.items.map((one) => change(one as Item)) }
    return { ...report, [section]: fresh }
  })
}

test.each([
  ['a property that is missing', 'services', ({ account: _, ...rest }: Item) => rest],
  ['a property that the agent does not send', 'disks', (item: Item) => ({ ...item, fileSystem: 'NTFS' })],
  ['a number as text', 'processors', (item: Item) => ({ ...item, numberOfCores: '4' })],
  ['a state that Windows does not have', 'services', (item: Item) => ({ ...item, status: 'running' })],
  ['a path of Linux', 'disks', (item: Item) => ({ ...item, volume: '/' })],
  [
    'another form of a nested text',
    'security',
    (item: Item) => ({ ...item, scriptPolicy: { name: 'PowerShell', policy: 'on' } }),
  ],
])('the comparison of both notices %s', (_, section, change) => {
  expect(differencesBetween(real, changed(section, change), inventoryFormats)).not.toEqual([])
})

const toReport = ({ patches, ...scan }: { patches: object[] }): Report => ({
  scan: { item: scan },
  patches: { items: patches },
})

const realScan = toPatchScan(recordedUpdates, [], 'Windows 11', new Date(startedAt))
const simulatedScans = machines.map((machine) => ({
  machine,
  scan: patchScanOf(plan, machine, new Set(), startedAt),
}))

test('patch scans of the agent and of the simulator have one schema, the same properties and the same forms', () => {
  const scans = simulatedScans.map(({ scan }) => scan)
  for (const scan of [realScan, ...scans])
    expect(() => validate('body', PatchScanReport, structuredClone(scan))).not.toThrow()

  expect(differencesBetween([toReport(realScan)], scans.map(toReport), patchFormats)).toEqual([])
})

test('patches of Windows are known by their number', () => {
  for (const scan of [realScan, ...simulatedScans.map((one) => one.scan)]) {
    const numbered = scan.patches.filter(({ qNumber }) => qNumber)
    expect(numbered.length).toBeGreaterThan(0)
    for (const { key, qNumber } of numbered) expect(key).toBe(qNumber)
  }
})

test('simulated patches of Windows have the products that the agent reads from the Windows Update Agent', () => {
  const systems = new Set<string>()
  for (const { machine, scan } of simulatedScans) {
    systems.add(machine.system.name)
    const expected = patchProduct(updateOf(machine.system.name), 'unknown')
    const products = scan.patches.filter(({ qNumber }) => qNumber).map(({ product }) => product)
    expect(new Set(products), machine.system.name).toEqual(new Set([expected]))
  }
  expect(systems.size).toBeGreaterThan(3)
})
