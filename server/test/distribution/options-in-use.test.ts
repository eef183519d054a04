import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { deploymentStateIn } from '../deployments/deployment-state.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const state = deploymentStateIn(db, given)

/** A computer in a subgroup. The subgroup has options of its own, and so has the group above. */
async function memberOfSubgroup() {
  const upper = await given.group()
  const lower = await given.group({ parent: upper })
  const [computer, software] = [await given.computer(), await given.package()]
  await given.member(lower, computer)
  await setRevokeCount(upper, 3)
  await setRevokeCount(lower, 7)
  return { upper, lower, computer, software }
}

async function setRevokeCount({ id }: { id: string }, revokeCount: number, of?: { id: string }) {
  const query = of ? { packageId: of.id } : {}
  const body = { commands: ['Install' as const], revokeCount }
  return as('group.write').call(setDistributionOptions, { params: { id }, query, body })
}

async function shownRevokeCount({ id }: { id: string }, of: { id: string }) {
  const { body } = await as('group.read').call(getDistributionOptions, { params: { id }, query: { packageId: of.id } })
  return body.revokeCount
}

async function usedRevokeCount(computer: { id: number }) {
  const body = { software: true }
  await as('activation.execute').call(activateComputer, { params: { id: computer.id }, body })
  const [item] = await state.openWork(computer)
  return item?.revoke_count
}

test('the options that a group shows for an inherited package are those that its computers use', async () => {
  const { upper, lower, computer, software } = await memberOfSubgroup()
  await given.assignment(upper, software, 'package')

  expect(await shownRevokeCount(lower, software)).toBe(3)
  expect(await usedRevokeCount(computer)).toBe(3)
})

test('a package of a software class has options, and they are shown and used', async () => {
  const { upper, lower, computer, software } = await memberOfSubgroup()
  await given.assignment(upper, await given.softwareClass({ packages: [software] }), 'softwareClass')

  expect(await setRevokeCount(upper, 5, software)).toMatchObject({ status: 200, body: { revokeCount: 5 } })
  expect(await setRevokeCount(lower, 9, software)).toMatchObject({ status: 404, problem: 'PackageNotAssigned' })

  expect(await shownRevokeCount(lower, software)).toBe(5)
  expect(await usedRevokeCount(computer)).toBe(5)
})

test.each([
  [{}, '2099-01-03T22:00:00.000Z'],
  [{ timeZone: 'Asia/Tokyo' }, '2099-01-03T13:00:00.000Z'],
  [{ cron: '0 22 * * 0' }, '2099-01-04T22:00:00.000Z'],
  [{ from: '2099-01-04T00:00:00Z' }, '2099-01-10T22:00:00.000Z'],
])('each property of a schedule determines when it next opens: %j', async (changes, nextStart) => {
  const schedule = { cron: '0 22 * * 6', durationMinutes: 60, from: '2099-01-01T00:00:00Z', ...changes }

  const { body } = await as('group.write').call(setDistributionOptions, {
    params: { id: (await given.group()).id },
    body: { distCommands: 1, schedule },
  })

  expect(body.schedule.nextStart).toBe(nextStart)
})
