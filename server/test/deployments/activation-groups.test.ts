import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')
const state = deploymentStateIn(db, given)

test('activation without global hands out nothing new of groups that were activated earlier', async () => {
  const { computer, group, params } = await state.member()
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.member(other, computer)
  const [published, changed] = [await given.package(), await given.package()]
  for (const one of [published, changed]) await given.assignment(other, one, 'package')
  await operator.call(activateComputer, { params, body: { software: true } })
  const [added, elsewhere] = [await given.package(), await given.package()]
  await given.assignment(group, added, 'package')
  await given.assignment(other, elsewhere, 'package')
  await state.options(other, changed, ['Install', 'Force'])

  const { body } = await operator.call(activateComputer, { params, body: { software: true, global: false } })

  expect(body.groupIds).toEqual([group.id])
  const work = new Map((await state.openWork(computer)).map((one) => [one.package_id, one]))
  expect(work.has(added.id)).toBe(true)
  expect(work.has(elsewhere.id)).toBe(false)
  // What was published earlier stays as it was published.
  expect(work.get(published.id)).toMatchObject({ kind: 'Install', commands: 1 })
  expect(work.get(changed.id)).toMatchObject({ kind: 'Install', commands: 1 })
})

test('activation without global publishes only through the configuration group', async () => {
  const { computer, group, software, params } = await state.member()
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.member(other, computer)
  const elsewhere = await given.package()
  await given.assignment(other, elsewhere, 'package')

  const narrow = await operator.call(activateComputer, { params, body: { software: true, global: false } })
  const first = (await state.openWork(computer)).map((work) => work.package_id)
  const wide = await operator.call(activateComputer, { params, body: { software: true, global: null } })

  expect(narrow.body).toMatchObject({ global: false, groupIds: [group.id] })
  expect(first).toEqual([software.id])
  expect(wide.body).toMatchObject({ global: true, groupIds: [group.id, other.id].toSorted() })
  expect(await state.openWork(computer)).toHaveLength(2)
})

test('activation without global and a configuration group publishes through the first assignment group', async () => {
  const computer = await given.computer()
  const named = (name: string) => given.group({ tree: 'AssignmentGroups', name: `${name} ${computer.id}` })
  const [second, first] = [await named('b'), await named('A')]
  for (const group of [second, first]) await given.member(group, computer)

  const { body } = await operator.call(activateComputer, {
    params: { id: computer.id },
    body: { pull: true, global: false },
  })

  expect(body.groupIds).toEqual([first.id])
})
