import { expect, onTestFinished, test } from 'vitest'
import { until } from '../demo/api.ts'
import { readScenario } from '../src/scenario.ts'
import { type Simulation, simulate } from '../src/simulation.ts'
import { startFakeService } from './fake-service.ts'

const computers = 15
const packages = ['Editor', 'Browser', 'Viewer', 'Driver']

/** Runs the computers of a seed until all work is done, or something else happens. Returns the results that they reported. */
async function runToEnd(seed: number, changes: object = {}, hasHappened = (_: Simulation) => true) {
  const service = await startFakeService(packages)
  const scenario = readScenario({
    seed,
    computers,
    connections: 8,
    enrolment: { perSecond: 10_000 },
    work: { failureRate: 0.3, minimumSeconds: 0, maximumSeconds: 0.02, interruptionRate: 0 },
    reboots: { perDay: 0 },
    ...changes,
  })
  const simulation = simulate({ scenario, server: service.address, tokenOf: () => 'token' })
  onTestFinished(() => simulation.stop())
  const isOver = () => service.isDone(computers) && hasHappened(simulation)
  await until(async () => isOver() || undefined, 'all work to finish')
  await simulation.stop()
  return { reports: service.reports(), simulation }
}

test('computers of the same seed make the same decisions, even if requests are lost', async () => {
  const [first, again, disturbed] = await Promise.all([
    runToEnd(11),
    runToEnd(11, { connections: 2 }),
    runToEnd(11, { network: { lostRate: 0.02 } }),
  ])

  const outcomes = [...first.reports.values()].flat()
  expect(first.reports.size).toBe(computers)
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['Success', 'Failed']))
  expect(again.reports).toEqual(first.reports)
  expect(disturbed.reports).toEqual(first.reports)
  expect(disturbed.simulation.measurements.errorCount()).toBeGreaterThan(0)
})

test('computers of another seed make other decisions', async () => {
  const [first, other] = await Promise.all([runToEnd(11), runToEnd(12)])

  expect([...other.reports.values()]).not.toEqual([...first.reports.values()])
})

test('users remove software by hand only if the scenario asks for that', async () => {
  const removals = ({ measurements }: Simulation) => measurements.countOf('removals by hand')

  const [usual, removing] = await Promise.all([
    runToEnd(13),
    runToEnd(13, { users: { removalRate: 0.5 } }, (simulation) => removals(simulation) > 0),
  ])

  expect(removals(usual.simulation)).toBe(0)
  expect(removing.reports).toEqual(usual.reports)
})
