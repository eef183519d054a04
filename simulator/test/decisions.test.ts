import { expect, onTestFinished, test } from 'vitest'
import { until } from '../demo/api.ts'
import { readScenario } from '../src/scenario.ts'
import { simulate } from '../src/simulation.ts'
import { startFakeService } from './fake-service.ts'

const computers = 15
const packages = ['Editor', 'Browser', 'Viewer', 'Driver']

/** What the computers of a seed have told after they have done everything. */
async function decisionsOf(seed: number, changes: object = {}) {
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
  await until(async () => service.isDone(computers) || undefined, 'all work is done')
  await simulation.stop()
  return { told: service.told(), simulation }
}

test('the same seed decides in the same way, also when connections are lost meanwhile', async () => {
  const [first, again, disturbed] = await Promise.all([
    decisionsOf(11),
    decisionsOf(11, { connections: 2 }),
    decisionsOf(11, { network: { lostRate: 0.02 } }),
  ])

  const outcomes = [...first.told.values()].flat()
  expect(first.told.size).toBe(computers)
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['Success', 'Failed']))
  expect(again.told).toEqual(first.told)
  expect(disturbed.told).toEqual(first.told)
  expect(disturbed.simulation.measurements.failures()).toBeGreaterThan(0)
})

test('another seed decides otherwise', async () => {
  const [first, other] = await Promise.all([decisionsOf(11), decisionsOf(12)])

  expect([...other.told.values()]).not.toEqual([...first.told.values()])
})
