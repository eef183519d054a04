import { expect, test } from 'vitest'
import { isScanDue } from '../src/behaviour/scan-times.ts'
import { newFleet } from '../src/fleet.ts'
import { readScenario } from '../src/scenario.ts'

const startedAt = Date.parse('2026-03-02T00:00:00Z')
const computers = Array.from({ length: 200 }, (_, computer) => computer)
const stepsPerPeriod = 50
const stepMs = 60_000

test('a new computer scans for patches at once, and later once per period at a time of its own', () => {
  const scenario = readScenario({
    computers: computers.length,
    patchScan: { everyMinutes: (stepsPerPeriod * stepMs) / 60_000 },
  })
  const { seed, domain, platforms } = scenario
  const fleet = newFleet(scenario)
  const dueAfter = (steps: number) => {
    const now = startedAt + steps * stepMs
    const due = computers.filter((computer) =>
      isScanDue({ scenario, fleet, plan: { seed, domain, platforms, startedAt }, now: () => now }, computer),
    )
    for (const computer of due) fleet.scannedAt[computer] = now
    return due
  }

  const first = dueAfter(1)
  const later = Array.from({ length: 2 * stepsPerPeriod }, (_, step) => dueAfter(step + 2))

  expect(first).toEqual(computers)
  expect(later.flat().toSorted((a, b) => a - b)).toEqual(computers.flatMap((computer) => [computer, computer]))
  expect(Math.max(...later.map(({ length }) => length))).toBeLessThan(computers.length / 5)
})
