import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { deadlocksDuring } from '../groups/deadlocks.ts'
import { openWorld } from '../world/open-world.ts'

// Statements over many computers are planned for their values, as in production, and not once for empty tables.
const { as, given } = await openWorld({ hasOwnDatabase: true })
const operator = as('activation.execute')

const computerCount = 60
const rounds = 12

/** Computers in several groups that overlap; every group has a package and a boot image. */
async function overlappingGroups() {
  const [first, second] = [await given.group(), await given.group({ tree: 'AssignmentGroups' })]
  const third = await given.group({ tree: 'AssignmentGroups' })
  for (const group of [first, second, third]) {
    await given.assignment(group, await given.package(), 'package')
    await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')
  }
  const computers = []
  for (let n = 0; n < computerCount; n++) {
    const computer = await given.computer()
    computers.push(computer)
    await given.member(first, computer)
    await given.member(n % 2 ? second : third, computer)
  }
  return { groups: [first, second, third], computers }
}

test('activations and deactivations of overlapping groups at the same time never deadlock', async () => {
  const { groups, computers } = await overlappingGroups()
  const statuses: number[] = []
  const repeat = async (request: (round: number) => Promise<{ status: number }>) => {
    for (let round = 0; round < rounds; ) {
      const { status } = await request(round)
      // A busy service asks to try again later.
      if (status === 503) continue
      statuses.push(status)
      round++
    }
  }
  const body = { software: true, pxe: true, pull: true }
  const requests = groups.flatMap(({ id }, at) => {
    const [params, global] = [{ id }, at !== 1]
    return [
      () => operator.call(activateGroup, { params, body: { ...body, global } }),
      () => operator.call(deactivateGroup, { params, query: { global } }),
      () => operator.call(deactivateGroup, { params, query: { global: !global, software: true } }),
    ]
  })
  const oneOf = (round: number) => ({ id: computers[round * 4]?.id ?? 0 })

  const deadlocks = await deadlocksDuring(() =>
    Promise.all([
      ...requests.map(repeat),
      repeat((round) => operator.call(activateComputer, { params: oneOf(round), body })),
      repeat((round) => operator.call(deactivateComputer, { params: oneOf(round) })),
    ]),
  )

  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(deadlocks).toBe(0)
}, 120_000)
