import { describe, expect, test } from 'vitest'
import { getComputerById } from '../../src/features/computers/computer-rows.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { growGroups } from './grow-groups.ts'
import { expectConsistentTrees } from './tree-model.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const reader = as('group.read')

const statusOf = async (id: string) => (await reader.call(getGroup, { params: { id } })).status

describe('deleting a group', () => {
  test('deletes everything below it and nothing else', async () => {
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

  test('takes with it what is assigned to the groups, and special groups below it', async () => {
    const group = await given.group()
    const special = await given.group({ parent: group, kind: 'Reinstall' })
    await given.assignment(special, await given.variableConfiguration())

    const deleted = await writer.call(deleteGroup, { params: { id: group.id } })

    expect(deleted.status).toBe(204)
    expect(await statusOf(special.id)).toBe(404)
    expect(await db.selectFrom('group_variable_configurations').select('group_id').execute()).toEqual([])
  })

  test.each([
    ['itself', 0],
    ['a group below it', 1],
    ['a group far below it', 2],
  ])('with a computer in %s needs force, and leaves the computer', async (_, depth) => {
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
    expect(await getComputerById(db, computer.id)).toMatchObject({ id: computer.id })
    const members = await reader.call(listGroupComputers, { params: { id: other.id } })
    expect(members.body.items.map(({ id }) => id)).toEqual([computer.id])
  })

  test('frees its computers for another configuration group', async () => {
    const [group, next, computer] = [await given.group(), await given.group(), await given.computer()]
    await given.member(group, computer)
    await writer.call(deleteGroup, { params: { id: group.id }, query: { force: true } })

    const added = await writer.call(addGroupComputers, {
      params: { id: next.id },
      body: { computerIds: [computer.id] },
    })

    expect(added.body.results).toMatchObject([{ status: 'Added' }])
  })

  test('with users below it needs force', async () => {
    const group = await given.group()
    await given.group({ parent: group, user_count: 1 })
    const before = await fingerprints(db)

    const refused = await writer.call(deleteGroup, { params: { id: group.id } })
    const unchanged = await fingerprints(db)
    const forced = await writer.call(deleteGroup, { params: { id: group.id }, query: { force: true } })

    expect(refused).toMatchObject({ status: 409, problem: 'NotEmpty' })
    expect(unchanged).toEqual(before)
    expect(forced.status).toBe(204)
  })
})

test('an unknown group is answered with 404', async () => {
  const before = await fingerprints(db)

  const refused = await writer.call(deleteGroup, { params: { id: '00000000-0000-4000-8000-000000000000' } })

  expect(refused).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(await fingerprints(db)).toEqual(before)
})

test.each(['yes', '', '2'])('force=%s is refused with 400', async (force) => {
  const group = await given.group()
  const before = await fingerprints(db)

  const refused = await writer.send({ method: 'DELETE', url: `/api/group/${group.id}?force=${force}` })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'force' }] } })
  expect(await fingerprints(db)).toEqual(before)
})

describe('never deleted, not even by force, is', () => {
  test.each([
    ['a root', () => given.root('ConfigurationGroups'), 'SystemGroup'],
    ['the root of another tree', () => given.root('UserGroups'), 'SystemGroup'],
    ['a group of another tree', () => given.group({ tree: 'UserGroups', user_count: 3 }), 'NotDeletableTree'],
    ['a special group of another tree', () => given.group({ tree: 'UserGroups', kind: 'EOL' }), 'NotDeletableTree'],
    ['a Reinstall group', () => given.group({ kind: 'Reinstall', user_count: 1 }), 'SpecialGroup'],
    ['an EOL group', () => given.group({ kind: 'EOL' }), 'SpecialGroup'],
    ['a Restore group', () => given.group({ tree: 'AssignmentGroups', kind: 'Restore' }), 'SpecialGroup'],
  ])('%s', async (_, make, problem) => {
    const { id } = await make()
    const before = await fingerprints(db)

    const refused = await writer.call(deleteGroup, { params: { id } })
    const forced = await writer.call(deleteGroup, { params: { id }, query: { force: true } })

    expect(refused).toMatchObject({ status: 409, problem, raw: { groupId: id } })
    expect(forced).toMatchObject({ status: 409, problem })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('two thousand groups below it, wide or deep, are no hindrance', async () => {
  const [wide, deep] = [await given.group(), await given.group()]
  await growGroups(db, wide, { count: 2000, childrenOfEach: 8 })
  await growGroups(db, deep, { count: 200, childrenOfEach: 1 })

  const started = performance.now()
  const deleted = [
    await writer.call(deleteGroup, { params: { id: wide.id } }),
    await writer.call(deleteGroup, { params: { id: deep.id } }),
  ]
  const elapsed = performance.now() - started

  expect(deleted.map(({ status }) => status)).toEqual([204, 204])
  expect(elapsed).toBeLessThan(5_000)
  await expectConsistentTrees(db)
})

test('a computer that is added meanwhile is either seen or not added, never lost unasked', async () => {
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
