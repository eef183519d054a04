import { expect, test } from 'vitest'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { getGroupPage } from '../../src/features/fleet/api/get-group-page.ts'
import { listFleetGroups } from '../../src/features/fleet/api/list-fleet-groups.ts'
import { listGroupTree } from '../../src/features/fleet/api/list-group-tree.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const reader = as('group.read')
const writer = as('group.read', 'group.write')

test('the tree has all groups of both trees after their parents, with the numbers of the list', async () => {
  const [parent, pilot] = [await given.group(), await given.group({ tree: 'AssignmentGroups' })]
  const below = await given.group({ parent })
  const reinstall = await given.group({ parent, kind: 'Reinstall' })
  const old = await given.group({ parent, kind: 'EOL' })
  const [one, two] = [await given.computer(), await given.computer()]
  // In two groups of one tree, of which only one excludes others.
  await given.member(reinstall, one)
  await given.member(old, two)
  await given.member(old, await given.computer())
  for (const group of [below, pilot]) await given.member(group, one)
  await given.member(parent, two)
  await given.member(await given.group({ parent: pilot, tree: 'AssignmentGroups' }), one)

  const { body: tree } = await reader.call(listGroupTree)

  const { body: list } = await reader.call(listFleetGroups, { query: { top: 1000 } })
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  const shown = list.items.map(({ description: _, path: __, ...group }) => group)
  expect([...tree].sort(byId)).toEqual(shown.sort(byId))
  expect(tree.find(({ id }) => id === parent.id)).toMatchObject({ members: 1, computers: 3 })
  expect(tree.find(({ id }) => id === pilot.id)).toMatchObject({ members: 1, computers: 1 })
  const seen = new Set<string | null>([null])
  for (const { id, parentId } of tree) {
    expect(seen).toContain(parentId)
    seen.add(id)
  }
})

test('groups of the same name are found by the words of their paths, and one by its id', async () => {
  const [oslo, berlin] = [await given.group({ name: 'Oslo' }), await given.group({ name: 'Berlin 100%' })]
  const [, wanted] = [
    await given.group({ parent: oslo, name: 'Finance' }),
    await given.group({ parent: berlin, name: 'Finance' }),
  ]
  const find = async (query: object) =>
    (await reader.call(listFleetGroups, { query })).body.items.map(({ path }) => path)

  expect(await find({ search: 'finance' })).toEqual(['Configuration/Berlin 100%/Finance', 'Configuration/Oslo/Finance'])
  expect(await find({ search: ' fin  berlin ' })).toEqual(['Configuration/Berlin 100%/Finance'])
  expect(await find({ search: '100% fin' })).toEqual(['Configuration/Berlin 100%/Finance'])
  expect(await find({ search: '10% fin' })).toEqual([])
  expect(await find({ groupId: wanted.id })).toEqual(['Configuration/Berlin 100%/Finance'])
})

test('the page of a group names the groups that its distribution options come from', async () => {
  const parent = await given.group()
  const group = await given.group({ parent })
  const [inherited, own] = [await given.package(), await given.package()]
  await given.assignment(parent, inherited, 'package')
  await given.assignment(group, own, 'package')
  const set = (id: string, query: object) =>
    writer.call(setDistributionOptions, { params: { id }, query, body: { commands: ['Install'] } })
  await set(parent.id, {})
  await set(group.id, { packageId: own.id })

  const { body: page } = await reader.call(getGroupPage, { params: { id: group.id } })

  const ofParent = { sourceGroupId: parent.id, sourceGroupPath: `Configuration/${parent.name}`, isForPackage: false }
  expect(page.optionSources).toHaveLength(3)
  expect(page.optionSources[0]).toEqual({ packageId: null, ...ofParent })
  expect(page.optionSources).toContainEqual({ packageId: inherited.id, ...ofParent })
  expect(page.optionSources).toContainEqual(
    expect.objectContaining({ packageId: own.id, sourceGroupId: group.id, isForPackage: true }),
  )
})

test('a package that was uninstalled and is to be installed again is pending on the page of the group', async () => {
  const group = await given.group()
  const below = await given.group({ parent: group })
  const [removed, again] = [await given.computer(), await given.computer()]
  await given.member(below, removed)
  await given.member(group, again)
  const { id } = await given.package({ is_operational: true })
  await given.assignment(group, { id }, 'package')
  await given.assignment(below, { id }, 'package')
  for (const { id: computer_id } of [removed, again])
    await db
      .insertInto('deployments')
      .values({ computer_id, package_id: id, result: 'Success', installation_state: 'Uninstalled' })
      .execute()
  const options = { params: { id: below.id }, query: { packageId: id }, body: { commands: ['Uninstall' as const] } }
  expect((await as('group.write', 'package.read').call(setDistributionOptions, options)).status).toBe(200)

  const { body: page } = await as('group.read', 'package.read').call(getGroupPage, { params: { id: group.id } })

  const counts = { total: 2, success: 1, failed: 0, pending: 1, notApplicable: 0 }
  expect(page.assignments.find(({ objectId }) => objectId === id)?.status).toEqual(counts)
  const query = { groupId: group.id }
  expect((await as('package.read').call(getPackageStatus, { params: { id }, query })).body).toMatchObject(counts)
})
