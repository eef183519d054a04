import { describe, expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { listVariableConfigurationGroups } from '../../src/features/variables/api/configurations/list-variable-configuration-groups.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { createSubtree } from './create-subtree.ts'
import { expectConsistentTrees } from './tree-model.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const reader = as('group.read')

const statusOf = async (id: string) => (await reader.call(getGroup, { params: { id } })).status

describe('deleting a group', () => {
  test('deleting a group deletes its subtree and nothing else', async () => {
    const parent = await given.group()
    const group = await given.group({ parent })
    const below = await given.group({ parent: await given.group({ parent: group }) })
    const sibling = await given.group({ parent })

    const deleted = await writer.call(deleteGroup, { params: { id: group.id } })

    expect(deleted).toMatchObject({ status: 204, raw: undefined })
    expect(await Promise.all([group, below, parent, sibling].map(({ id }) => statusOf(id)))).toEqual([
      404, 404, 200, 200,
    ])
    await expectConsistentTrees(db)
  })

  test('deleting a group also deletes its special groups and what is assigned to them', async () => {
    const group = await given.group()
    const special = await given.group({ parent: group, kind: 'Reinstall' })
    const configuration = await given.variableConfiguration()
    await given.assignment(special, configuration)

    const deleted = await writer.call(deleteGroup, { params: { id: group.id } })

    expect(deleted.status).toBe(204)
    expect(await statusOf(special.id)).toBe(404)
    const assignedTo = await as('package.read').call(listVariableConfigurationGroups, {
      params: { id: configuration.id },
    })
    expect(assignedTo.body.items).toEqual([])
  })

  test.each([
    ['the group itself', 0],
    ['a child group', 1],
    ['a grandchild group', 2],
  ])('deleting a group with a computer in %s needs force, and the computer is kept', async (_, depth) => {
    const group = await given.group()
    const child = await given.group({ parent: group })
    const places = [group, child, await given.group({ parent: child })]
    const other = await given.group({ tree: 'AssignmentGroups' })
    const computer = await given.computer()
    await given.member(places[depth] ?? group, computer)
    await given.member(other, computer)
    const before = await fingerprints(db)

    const refused = await writer.call(deleteGroup, { params: { id: group.id }, query: { force: false } })
    const unchanged = await fingerprints(db)
    const forced = await writer.call(deleteGroup, { params: { id: group.id }, query: { force: true } })

    expect(refused).toMatchObject({ status: 409, problem: 'NotEmpty', raw: { groupId: group.id } })
    expect(unchanged).toEqual(before)
    expect(forced.status).toBe(204)
    const kept = await as('computer.read').call(getComputer, { params: { id: computer.id } })
    expect(kept.body).toMatchObject({ id: computer.id })
    const members = await reader.call(listGroupComputers, { params: { id: other.id } })
    expect(members.body.items.map(({ id }) => id)).toEqual([computer.id])
  })

  test('after its group is deleted, a computer can be added to another configuration group', async () => {
    const [group, next, computer] = [await given.group(), await given.group(), await given.computer()]
    await given.member(group, computer)
    await writer.call(deleteGroup, { params: { id: group.id }, query: { force: true } })

    const added = await writer.call(addGroupComputers, {
      params: { id: next.id },
      body: { computerIds: [computer.id] },
    })

    expect(added.body.results).toMatchObject([{ status: 'Added' }])
  })
})

test('deleting an unknown group answers 404', async () => {
  const before = await fingerprints(db)

  const refused = await writer.call(deleteGroup, { params: { id: '00000000-0000-4000-8000-000000000000' } })

  expect(refused).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(await fingerprints(db)).toEqual(before)
})

test.each(['yes', '', '2'])('deleting a group with force=%s is refused with 400', async (force) => {
  const group = await given.group()
  const before = await fingerprints(db)

  const refused = await writer.send({ method: 'DELETE', url: `/api/group/${group.id}?force=${force}` })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'force' }] } })
  expect(await fingerprints(db)).toEqual(before)
})

describe('groups that cannot be deleted', () => {
  test.each([
    ['a root', () => given.root('ConfigurationGroups'), 'SystemGroup'],
    ['the root of another tree', () => given.root('UserGroups'), 'SystemGroup'],
    ['a group of another tree', () => given.group({ tree: 'UserGroups' }), 'NotDeletableTree'],
    ['a special group of another tree', () => given.group({ tree: 'UserGroups', kind: 'EOL' }), 'NotDeletableTree'],
    ['a Reinstall group', () => given.group({ kind: 'Reinstall' }), 'SpecialGroup'],
    ['an EOL group', () => given.group({ kind: 'EOL' }), 'SpecialGroup'],
    ['a Restore group', () => given.group({ tree: 'AssignmentGroups', kind: 'Restore' }), 'SpecialGroup'],
  ])('%s cannot be deleted, not even with force', async (_, make, problem) => {
    const { id } = await make()
    const before = await fingerprints(db)

    const refused = await writer.call(deleteGroup, { params: { id } })
    const forced = await writer.call(deleteGroup, { params: { id }, query: { force: true } })

    expect(refused).toMatchObject({ status: 409, problem, raw: { groupId: id } })
    expect(forced).toMatchObject({ status: 409, problem })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('the deletion of a group takes no longer for each descendant if it has many, wide or deep', async () => {
  const secondsToDelete = async (count: number, childrenPerGroup: number) => {
    const group = await given.group()
    await createSubtree(db, group, { count, childrenPerGroup })
    const started = performance.now()
    const { status } = await writer.call(deleteGroup, { params: { id: group.id } })
    expect(status).toBe(204)
    return (performance.now() - started) / 1_000
  }
  await secondsToDelete(200, 8)

  const few = await secondsToDelete(200, 8)
  const [many, deep] = [await secondsToDelete(2_000, 8), await secondsToDelete(200, 1)]

  // In proportion, it would be ten times as long, and as long. A machine that is busy at times makes three of one.
  expect(many / few).toBeLessThan(30)
  expect(deep / few).toBeLessThan(10)
  await expectConsistentTrees(db)
})

test('adding a computer to a group that is being deleted either prevents the deletion or is refused', async () => {
  const rounds = await Promise.all(
    Array.from({ length: 20 }, async () => ({ group: await given.group(), computer: await given.computer() })),
  )

  const results = await Promise.all(
    rounds.map(({ group, computer }) =>
      Promise.all([
        writer.call(addGroupComputers, { params: { id: group.id }, body: { computerIds: [computer.id] } }),
        writer.call(deleteGroup, { params: { id: group.id } }),
      ]),
    ),
  )

  for (const [added, deleted] of results)
    expect(['200 NotEmpty', 'GroupNotFound 204']).toContain(
      `${added.problem ?? added.status} ${deleted.problem ?? deleted.status}`,
    )
})
