import { expect, test } from 'vitest'
import { type CurrentState, sectionHashes, sectionNames, sectionNamesOf, sectionOf } from '../src/machines/inventory.ts'
import { type FleetPlan, machineOf } from '../src/machines/machine.ts'
import { patchScanOf } from '../src/machines/patches.ts'

const startedAt = Date.parse('2026-03-02T00:00:00Z')
const plan: FleetPlan = {
  seed: 7,
  domain: 'corp.example.org',
  platforms: { windows: 0.6, linux: 0.2, macos: 0.2 },
  startedAt,
}
const numbers = Array.from({ length: 200 }, (_, at) => at + 1)
const dayMs = 86_400_000

const after = (days: number, changes: Partial<CurrentState> = {}): CurrentState => ({
  now: startedAt + days * dayMs,
  changeMinutes: 1440,
  packages: [],
  revision: 0,
  ...changes,
})

const inventory = (of: FleetPlan, number: number, current: CurrentState) => {
  const machine = machineOf(of, number)
  return Object.fromEntries(sectionNames.map((name) => [name, sectionOf(of, machine, name, current)]))
}

test('the same seed gives the same inventories and scans, regardless of their order', () => {
  const forwards = numbers.map((number) => inventory(plan, number, after(3)))
  const backwards = numbers.toReversed().map((number) => inventory({ ...plan }, number, after(3)))
  const scans = numbers.map((number) => patchScanOf(plan, machineOf(plan, number), new Set(), startedAt))
  const scansAgain = numbers.map((number) => patchScanOf(plan, machineOf(plan, number), new Set(), startedAt))

  expect(backwards.toReversed()).toEqual(forwards)
  expect(scansAgain).toEqual(scans)
})

test('another seed gives other computers', () => {
  const uuids = (seed: number) => numbers.map((number) => machineOf({ ...plan, seed }, number).uuid)

  expect(new Set([...uuids(7), ...uuids(8)]).size).toBe(400)
})

test('no two computers of a fleet have the same name, UUID or MAC address', () => {
  const machines = Array.from({ length: 5_000 }, (_, at) => machineOf(plan, at + 1))

  for (const property of ['name', 'uuid', 'mac'] as const)
    expect(new Set(machines.map((machine) => machine[property])).size).toBe(5_000)
})

test('sections with equal hashes have equal content on every day', () => {
  for (const number of numbers.slice(0, 40)) {
    const machine = machineOf(plan, number)
    const seen = new Map<string, string>()
    for (let day = 0; day < 30; day++) {
      const hashes = sectionHashes(plan, machine, after(day))
      for (const name of sectionNamesOf(machine)) {
        const content = JSON.stringify(sectionOf(plan, machine, name, after(day)))
        const before = seen.get(hashes[name] ?? '')
        if (before !== undefined) expect(content).toBe(before)
        seen.set(hashes[name] ?? '', content)
      }
    }
  }
})

test('some sections of an inventory change within a day, but hardware never changes', () => {
  const machine = machineOf(plan, 1)
  const changedSections = (days: number) => {
    const [first, later] = [sectionHashes(plan, machine, after(0)), sectionHashes(plan, machine, after(days))]
    return sectionNames.filter((name) => first[name] !== later[name])
  }

  expect(changedSections(1)).toContain('disks')
  expect(changedSections(1).length).toBeLessThan(sectionNames.length)
  expect(changedSections(60)).toContain('installedSoftware')
  for (const section of ['bios', 'computerSystem', 'processors', 'monitors'] as const)
    expect(changedSections(60)).not.toContain(section)
})

test('the installed software contains the packages that the agent has installed', () => {
  const machine = machineOf(plan, 1)
  const current = after(0, { packages: [{ name: 'Greeting', version: '1.2.0' }], revision: 1 })

  expect(JSON.stringify(sectionOf(plan, machine, 'installedSoftware', current))).toContain(
    '"Greeting","version":"1.2.0"',
  )
  expect(sectionHashes(plan, machine, current)).not.toEqual(sectionHashes(plan, machine, after(0)))
})

test('a patch is no longer missing after it was installed', () => {
  const machine = numbers.map((number) => machineOf(plan, number)).find((one) => missing(one, new Set()).length > 0)
  if (!machine) throw new Error('No computer lacks a patch.')
  const [first = ''] = missing(machine, new Set())

  expect(missing(machine, new Set([first]))).not.toContain(first)
})

function missing(machine: ReturnType<typeof machineOf>, installed: ReadonlySet<string>): string[] {
  const { patches } = patchScanOf(plan, machine, installed, startedAt)
  return patches.filter(({ status }) => status === 'Missing').map(({ key }) => key)
}

test('the platforms have the shares that the scenario asks for', () => {
  const platforms = Array.from({ length: 10_000 }, (_, at) => machineOf(plan, at + 1).platform)
  const shareOf = (platform: string) => platforms.filter((one) => one === platform).length / platforms.length

  expect(shareOf('windows')).toBeCloseTo(0.6, 2)
  expect(shareOf('linux')).toBeCloseTo(0.2, 2)
})
