import { expect, test } from 'vitest'
import { convergeMarkedGroups } from '../../src/features/convergence/jobs/converge-groups.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { openConvergenceWorld } from './convergence-world.ts'

const world = await openConvergenceWorld()
const { assignNew, converge, convergedFleet, db, openWork, operator, pause, waves } = world

const onlyWave = async (group: { id: string }) => {
  const found = await waves(group)
  expect(found).toHaveLength(1)
  return found[0] ?? expect.fail()
}

test('a wave is named by the explanation of the package that it brings, and of no other', async () => {
  const { group, agents } = await convergedFleet(2, { rings: [{ count: 1 }, {}] })
  const made = await assignNew(group)
  await converge()
  const { rolloutId } = await onlyWave(group)
  const [released] = await openWork(agents)
  const waiting = agents.find(({ id }) => id !== released?.id) ?? expect.fail()
  const other = await assignNew(group)

  const explained = async (packageId: string) =>
    (await operator.call(explainComputer, { params: { id: waiting.id }, query: { packageId } })).body

  expect(await explained(made.id)).toMatchObject({
    rollouts: [{ rolloutId }],
    blockers: [{ reason: 'RingNotReleased' }],
  })
  expect(await explained(other.id)).toMatchObject({
    rollouts: [],
    verdict: 'Waiting',
    blockers: [{ reason: 'ComparisonPending', untilUtc: expect.any(String) }],
  })
})

test('a wave that waits for a person is named by the explanation of later changes, and so is a wave that was refused', async () => {
  const { group, agents } = await convergedFleet(2, { rings: [{ count: 1 }, {}] })
  const [agent = expect.fail()] = agents
  await assignNew(group)
  await converge()
  const { rolloutId } = await onlyWave(group)
  await pause(rolloutId)
  const later = await assignNew(group)
  await converge()
  const explained = async () =>
    (await operator.call(explainComputer, { params: { id: agent.id }, query: { packageId: later.id } })).body

  expect(await explained()).toMatchObject({ verdict: 'Waiting', blockers: [{ reason: 'WaveNeedsPerson' }] })

  await world.cancel(rolloutId)
  await convergeMarkedGroups(db, { maxRingPercent: 0 })
  expect(await explained()).toMatchObject({ blockers: [{ reason: 'WaveRefused', untilUtc: null }] })
})

test('a wave does not come again for what a person has cancelled, and the explanation says so', async () => {
  const { group, agents } = await convergedFleet(1)
  const made = await assignNew(group)
  await converge()
  await world.cancel((await onlyWave(group)).rolloutId)
  await converge()

  const { body } = await operator.call(explainComputer, {
    params: { id: agents[0]?.id ?? 0 },
    query: { packageId: made.id },
  })

  expect(body).toMatchObject({
    verdict: 'NotActivated',
    blockers: [{ message: expect.stringContaining('cancelled') }],
  })
})
