import { expect, test } from 'vitest'
import { collectSections } from '../../../agent/src/inventory/collect.ts'
import { windowsSections } from '../../../agent/src/platform/windows/inventory/sections.ts'
import { toPatchScan } from '../../../agent/src/platform/windows/patches/scanned-patches.ts'
import { type RecordedWindows, recordedAccess } from '../../../agent/test/windows/recorded-access.ts'
import { laptop } from '../../../agent/test/windows/recorded-laptop.ts'
import { recordedUpdates } from '../../../agent/test/windows/recorded-updates.ts'
import { wine } from '../../../agent/test/windows/recorded-wine.ts'
import { sectionNamesOf, sectionOf } from '../../../simulator/src/machines/inventory.ts'
import { type FleetPlan, machineOf } from '../../../simulator/src/machines/machine.ts'
import { patchScanOf } from '../../../simulator/src/machines/patches.ts'
import { PatchScanReport } from '../../src/channels/agent/patches/schemas.ts'
import { inventorySections } from '../../src/features/inventory/sections/index.ts'
import { validate } from '../../src/platform/validation.ts'

type Content = { items: object[] } | { item: object }
type Report = Record<string, Content>

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

const itemsOf = (content: Content | undefined) =>
  content && 'item' in content ? [content.item] : (content?.items ?? [])

/** The names of all properties, also of objects in the object, and the types of their values. */
function shapeOf(item: object): string[] {
  return Object.entries(item).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? shapeOf(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
}

/** How Windows computers write texts that are no names. */
const formats: Record<string, RegExp> = {
  'system.platform': /^Windows$/,
  'system.architecture': /^(AMD64|ARM64)$/,
  'system.osVersion': /^10\.0\.\d{5}$/,
  'system.osBuild': /^\d{5}$/,
  'system.operatingSystem': /^Microsoft Windows /,
  'system.osName': /^Windows (Server )?\d+$/,
  'system.language': /^[a-z]{2}(-[A-Z]{2})?$/,
  'system.biosDate': /^\d{4}-\d\d-\d\d$/,
  'system.loggedOnUser': /^[^\\]+\\[^\\]+$/,
  'system.screenResolution': /^\d+ x \d+$/,
  'bios.uuid': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  'disks.volume': /^[A-Z]:$/,
  'disks.bitlockerKeyProtectors': /^(Tpm|RecoveryPassword)(, (Tpm|RecoveryPassword))*$/,
  'networkAdapters.connectionType': /^(Wi-Fi|Ethernet)$/,
  'networkAdapters.macAddress': /^([\dA-F]{2}:){5}[\dA-F]{2}$/,
  'batteries.chemistry': /^Lithium-ion$/,
  'batteries.batteryStatus': /^(Charging|Discharging|Full)$/,
  'printers.driverVersion': /^\d+\.\d+\.\d+\.\d+$/,
  'printers.port': /^(IP_|PORTPROMPT:)/,
  'videoControllers.adapterRam': /^\d+$/,
  'videoControllers.videoModeDescription': /^\d+ x \d+$/,
  'monitors.monitorType': /^Digital$/,
  'monitors.monitorSize': /^\d+\.\d$/,
  'services.status': /^(Running|Stopped|StartPending)$/,
  'services.startMode': /^(Auto|Manual|Disabled)$/,
}

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

test('each section has the same properties from the agent and from the simulator', () => {
  for (const { name } of inventorySections) {
    const shapes = [...real, ...simulated].flatMap((report) =>
      itemsOf(report[name]).map((item) => shapeOf(item).toSorted()),
    )
    const distinct = new Set(shapes.map((shape) => shape.join()))
    expect(shapes.length, name).toBeGreaterThan(1)
    expect([...distinct], name).toHaveLength(1)
  }
})

test.each(Object.entries(formats))('%s is written alike by the agent and by the simulator', (path, format) => {
  const [section = '', property = ''] = path.split('.')
  const valuesOf = (reports: Report[]) =>
    reports
      .flatMap((report) => itemsOf(report[section]))
      .map((item) => (item as Record<string, unknown>)[property])
      .filter((value) => value !== null)

  for (const reports of [real, simulated]) {
    const values = valuesOf(reports)
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(value).toMatch(format)
  }
})

test('patch scans of the agent and of the simulator have one schema, and patches of Windows are known by their number', () => {
  const scans = [
    toPatchScan(recordedUpdates, [], 'Windows 11', new Date(startedAt)),
    ...machines.map((machine) => patchScanOf(plan, machine, new Set(), startedAt)),
  ]

  for (const scan of scans) {
    expect(() => validate('body', PatchScanReport, structuredClone(scan))).not.toThrow()
    const numbered = scan.patches.filter(({ qNumber }) => qNumber)
    expect(numbered.length).toBeGreaterThan(0)
    for (const { key, qNumber } of numbered) expect(key).toBe(qNumber)
    for (const { qNumber } of numbered) expect(qNumber).toMatch(/^KB\d{6,}$/)
  }
})
