import { expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { findInversions, recordLocks } from '../world/record-locks.ts'
import { openSlicedWorld, threeInstalls } from './sliced-world.ts'

const { activate, allSlices, db, fleet, kindsOf, operator, slice, state, taskOf } = await openSlicedWorld()

test('deactivating the group stops a large activation', async () => {
  const { computers, params } = await fleet()
  const trackingId = await activate({ params })
  await slice()

  const { body } = await operator.call(deactivateGroup, { params })
  await allSlices()

  expect(body).toMatchObject({ computerCount: 3, cancelledWork: 3 })
  expect(await taskOf(trackingId)).toMatchObject({
    ...{ status: 2, total: 3, cancelled: 3 },
    preparation: { state: 'Cancelled', computers: 3, completed: 1, withdrawn: 2 },
  })
  for (const one of computers) expect([await kindsOf(one), await state.activations(one)]).toEqual([[], []])
})

test('a computer that is deactivated before its turn gets no work, and the others get theirs', async () => {
  const made = await fleet()
  const { first, second, third } = made
  const trackingId = await activate(made)

  await operator.call(deactivateComputer, { params: { id: second.id } })
  await allSlices()

  expect([await kindsOf(first), await kindsOf(second), await kindsOf(third)]).toEqual([
    threeInstalls,
    [],
    threeInstalls,
  ])
  expect(await taskOf(trackingId)).toMatchObject({
    preparation: { state: 'Completed', computers: 3, completed: 2, withdrawn: 1 },
  })
})

test('a deactivation of one bit leaves what else a large activation that came before it publishes', async () => {
  const { computers, params } = await fleet()
  const trackingId = await activate({ params }, { software: true, pull: true })
  await slice()

  await operator.call(deactivateGroup, { params, query: { software: true } })
  await allSlices()

  for (const one of computers) expect(await kindsOf(one)).toEqual(['Refresh'])
  expect(await taskOf(trackingId)).toMatchObject({ preparation: { state: 'Completed', completed: 3, withdrawn: 0 } })
})

test('a deactivation without the other groups leaves what a large activation publishes through these', async () => {
  const { computers, params } = await fleet()
  await activate({ params })

  await operator.call(deactivateGroup, { params, query: { global: false } })
  await allSlices()

  for (const one of computers) expect(await kindsOf(one)).toEqual(['Install'])
})

test('the deletion of the group ends its large activation, and the next one goes on', async () => {
  const [{ params, group, third }, next] = [await fleet(), await fleet()]
  const [trackingId, nextId] = [await activate({ params }), await activate(next)]
  await slice()

  await operator.call(deleteGroup, { params: { id: group.id }, query: { force: true } })
  await allSlices()

  expect(await taskOf(trackingId)).toMatchObject({
    ...{ total: 3, groupId: null },
    preparation: { state: 'Cancelled', completed: 1, withdrawn: 2 },
  })
  expect(await kindsOf(third)).toEqual([])
  expect(await taskOf(nextId)).toMatchObject({ total: 9, preparation: { state: 'Completed', completed: 3 } })
})

test('computers that were deleted or have left the group before their turn get no work', async () => {
  const { first, second, third, params } = await fleet()
  const trackingId = await activate({ params }, { software: true, pull: true, srl: { action: 'Reboot' } })

  await operator.call(deleteComputer, { params: { id: first.id }, query: { force: true } })
  await operator.call(removeGroupComputers, { params, query: { computerIds: [second.id] } })
  await allSlices()

  expect(await taskOf(trackingId)).toMatchObject({ total: 5, preparation: { state: 'Completed', completed: 3 } })
  expect(await kindsOf(second)).toEqual([])
  expect(await kindsOf(third)).toEqual([...threeInstalls, 'Power', 'Refresh'])
})

test.each([
  ['a slice', () => slice(3)],
  ['a deactivation that withdraws computers', (params: { id: string }) => operator.call(deactivateGroup, { params })],
  [
    'a deactivation that creates work first',
    (params: { id: string }) => operator.call(deactivateGroup, { params, query: { pull: true } }),
  ],
] as const)('%s of a large activation locks rows in the documented order', async (_name, change) => {
  const made = await fleet()
  await activate(made)
  await allSlices()
  await activate(made, { software: true, pull: true })

  const locks = await recordLocks(db, () => change(made.params))

  expect(locks.map(({ table }) => table)).toContain('sliced_activations')
  expect(findInversions(locks)).toEqual([])
  await allSlices()
})
