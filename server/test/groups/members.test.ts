import { describe, expect, test } from 'vitest'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const unknownGroup = '00000000-0000-4000-8000-000000000000'
const unknownComputer = 2_000_000_000

const add = (group: { id: string }, computerIds: number[]) =>
  writer.call(addGroupComputers, { params: { id: group.id }, body: { computerIds } })
const remove = (group: { id: string }, computerIds: number[]) =>
  writer.call(removeGroupComputers, { params: { id: group.id }, query: { computerIds } })
const list = (group: { id: string }, query: object = {}) =>
  as('group.read').call(listGroupComputers, { params: { id: group.id }, query })
const membersOf = async (group: { id: string }, query: object = {}) =>
  (await list(group, query)).body.items.map(({ id }) => id)
async function givenComputers(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push((await given.computer()).id)
  return ids
}

describe('listing the members of a group', () => {
  test('the members of a group are listed as computers, ordered by id', async () => {
    const group = await given.group()
    const lastSeen = new Date('2026-03-14T09:26:53.000Z')
    const [one, two] = [await given.computer({ lastSeen }), await given.computer()]
    await given.member(group, two)
    await given.member(group, one)

    const listed = await list(group)

    expect(listed.body).toMatchObject({ totalCount: 2, hasMore: false })
    expect(listed.body.items).toMatchObject([
      { id: one.id, hostname: one.name, domain: one.domain, lastSeenUtc: lastSeen.toISOString(), serialNumber: null },
      { id: two.id, hostname: two.name, lastSeenUtc: null },
    ])
  })

  test('only direct members are listed, unless those of descendant groups are requested', async () => {
    const group = await given.group()
    const child = await given.group({ parent: group })
    const grandchild = await given.group({ parent: child })
    const ids = await givenComputers(3)
    for (const [n, place] of [group, child, grandchild].entries()) await given.member(place, { id: ids[n] ?? 0 })

    expect(await membersOf(group)).toEqual(ids.slice(0, 1))
    expect(await membersOf(group, { includeDescendants: false })).toEqual(ids.slice(0, 1))
    expect(await membersOf(group, { includeDescendants: true })).toEqual(ids)
    expect(await membersOf(child, { includeDescendants: true })).toEqual(ids.slice(1))
  })

  test('a computer is listed once, even if it is in several groups of the subtree', async () => {
    const group = await given.group({ tree: 'AssignmentGroups' })
    const computer = await given.computer()
    const below = [await given.group({ parent: group }), await given.group({ parent: group, kind: 'Reinstall' })]
    for (const place of [group, ...below]) await given.member(place, computer)

    const listed = await list(group, { includeDescendants: true })

    expect(listed.body).toMatchObject({ totalCount: 1, items: [{ id: computer.id }] })
  })

  test.each([false, true])('members are returned in pages with includeDescendants=%s', async (includeDescendants) => {
    const group = await given.group()
    const ids = await givenComputers(5)
    await add(group, ids)

    const first = await list(group, { top: 2, includeDescendants })
    const next = await as('group.read').send({
      method: 'GET',
      url: /<(.+)>/.exec(first.headers.link ?? '')?.[1] ?? '',
    })

    expect(first.body).toMatchObject({ totalCount: 5, hasMore: true })
    expect(await membersOf(group, { skip: 4, top: 2, includeDescendants })).toEqual(ids.slice(4))
    expect((next.body as { items: { id: number }[] }).items.map(({ id }) => id)).toEqual(ids.slice(2, 4))
  })
})

describe('adding computers to a group', () => {
  test('adding returns a result for each computer, in the order of the request', async () => {
    const [group, other] = [await given.group(), await given.group()]
    const ids = await givenComputers(3)
    const [fresh = 0, member = 0, elsewhere = 0] = ids
    await given.member(group, { id: member })
    await given.member(other, { id: elsewhere })

    const added = await add(group, [elsewhere, unknownComputer, member, fresh, 0, -1])

    expect(added.status).toBe(200)
    expect(added.body).toMatchObject({
      groupId: group.id,
      succeeded: 2,
      failed: 4,
      results: [
        { clientId: elsewhere, success: false, status: 'AlreadyInConfigurationGroup' },
        { clientId: unknownComputer, success: false, status: 'NotFound' },
        { clientId: member, success: true, status: 'AlreadyMember' },
        { clientId: fresh, success: true, status: 'Added' },
        { clientId: 0, success: false, status: 'NotFound' },
        { clientId: -1, success: false, status: 'NotFound' },
      ],
    })
    expect(await membersOf(group)).toEqual([fresh, member].sort((a, b) => a - b))
    expect(await membersOf(other)).toEqual([elsewhere])
  })

  test('a computer can be in any number of assignment groups besides its configuration group', async () => {
    const groups = [
      await given.group(),
      await given.group({ tree: 'AssignmentGroups' }),
      await given.group({ tree: 'AssignmentGroups' }),
    ]
    const [id = 0] = await givenComputers(1)

    const results = await Promise.all(groups.map((group) => add(group, [id])))

    expect(results.map(({ body }) => body.succeeded)).toEqual([1, 1, 1])
    expect(await add(groups[2] ?? { id: '' }, [id])).toMatchObject({
      status: 200,
      body: { succeeded: 1, failed: 0, results: [{ status: 'AlreadyMember' }] },
    })
  })

  test('a repeated id is added once', async () => {
    const group = await given.group()
    const [id = 0] = await givenComputers(1)

    const added = await add(group, [id, unknownComputer, id, unknownComputer])

    expect(added.body).toMatchObject({ succeeded: 1, failed: 1 })
    expect(added.body.results.map(({ clientId }) => clientId)).toEqual([id, unknownComputer])
  })

  test('computers can be added to the root of the configuration tree, which counts as their configuration group', async () => {
    const [root, group] = [await given.root('ConfigurationGroups'), await given.group()]
    const ids = await givenComputers(1)

    const added = await add(root, ids)
    const again = await add(group, ids)

    expect(added.body.results).toMatchObject([{ status: 'Added' }])
    expect(again.body.results).toMatchObject([{ status: 'AlreadyInConfigurationGroup' }])
  })

  test('a computer in a special group of the configuration tree can be added to a configuration group', async () => {
    const [special, group] = [await given.group({ kind: 'Reinstall' }), await given.group()]
    const [id = 0] = await givenComputers(1)
    await given.member(special, { id })

    const added = await add(group, [id])

    expect(added.body.results).toMatchObject([{ status: 'Added' }])
  })

  test.each([
    ['a Reinstall group', () => given.group({ kind: 'Reinstall' }), 'SpecialGroup'],
    ['an EOL group', () => given.group({ tree: 'AssignmentGroups', kind: 'EOL' }), 'SpecialGroup'],
    ['a Restore group', () => given.group({ kind: 'Restore' }), 'SpecialGroup'],
    ['a group of users', () => given.group({ tree: 'UserGroups' }), 'NotEditableTree'],
  ])('adding to %s fails for every computer', async (_, make, status) => {
    const group = await make()
    const ids = await givenComputers(2)

    const refused = await add(group, [...ids, unknownComputer])

    expect(refused).toMatchObject({ status: 200, body: { succeeded: 0, failed: 3 } })
    expect(refused.body.results.map((result) => result.status)).toEqual([status, status, status])
    expect(await membersOf(group)).toEqual([])
  })
})

describe('removing computers from a group', () => {
  test('removing returns a result for each computer, in the order of the request', async () => {
    const group = await given.group()
    const ids = await givenComputers(3)
    const [member = 0, staying = 0, nonMember = 0] = ids
    await add(group, [member, staying])

    const removed = await remove(group, [nonMember, member, unknownComputer, member, -5])

    expect(removed.status).toBe(200)
    expect(removed.body).toMatchObject({
      groupId: group.id,
      succeeded: 4,
      failed: 0,
      results: [
        { clientId: nonMember, success: true, status: 'NotMember' },
        { clientId: member, success: true, status: 'Removed' },
        { clientId: unknownComputer, success: true, status: 'NotMember' },
        { clientId: -5, success: true, status: 'NotMember' },
      ],
    })
    expect(await membersOf(group)).toEqual([staying])
  })

  test('removing computers a second time succeeds and changes nothing', async () => {
    const group = await given.group()
    const ids = await givenComputers(2)
    await add(group, ids)
    await remove(group, ids)

    const again = await remove(group, ids)

    expect(again.body).toMatchObject({ succeeded: 2, failed: 0, results: [{ status: 'NotMember' }, {}] })
  })

  test('removing a computer from one group keeps its other memberships', async () => {
    const [group, other] = [await given.group(), await given.group({ tree: 'AssignmentGroups' })]
    const ids = await givenComputers(1)
    await add(group, ids)
    await add(other, ids)

    await remove(group, ids)

    expect(await membersOf(group)).toEqual([])
    expect(await membersOf(other)).toEqual(ids)
  })

  test('removing members from a special group fails, because other operations manage them', async () => {
    const group = await given.group({ kind: 'Reinstall' })
    const [member = 0, nonMember = 0] = await givenComputers(2)
    await given.member(group, { id: member })

    const refused = await remove(group, [member, nonMember])

    expect(refused.body).toMatchObject({
      succeeded: 1,
      failed: 1,
      results: [
        { clientId: member, success: false, status: 'SpecialGroup' },
        { clientId: nonMember, success: true, status: 'NotMember' },
      ],
    })
    expect(await membersOf(group)).toEqual([member])
  })
})

describe('invalid requests for members', () => {
  test('requests for the members of an unknown group answer 404', async () => {
    const ids = await givenComputers(1)
    const before = await fingerprints(db)

    const answers = [
      await list({ id: unknownGroup }),
      await add({ id: unknownGroup }, ids),
      await remove({ id: unknownGroup }, ids),
    ]

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, problem: 'GroupNotFound' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each([
    ['no id', []],
    ['501 ids', Array.from({ length: 501 }, (_, n) => n + 1)],
    ['501 times the same id', Array(501).fill(1)],
    ['a number beyond int32', [2 ** 31]],
    ['a fraction', [1.5]],
  ])('a list of computers with %s is refused with 400, and nothing changes', async (_, computerIds) => {
    const group = await given.group()
    const before = await fingerprints(db)

    const [added, removed] = [await add(group, computerIds), await remove(group, computerIds)]

    expect(added).toMatchObject({ status: 400, raw: { errors: [{ in: 'body' }] } })
    expect(removed).toMatchObject({ status: 400, raw: { errors: [{ in: 'query' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['', '?computerIds=', '?computerIds=x', '?computerIds=1,2'])(
    'removing computers with the query %j is refused with 400',
    async (query) => {
      const group = await given.group()

      const refused = await writer.send({ method: 'DELETE', url: `/api/group/${group.id}/computers${query}` })

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    },
  )

  test.each([{}, { computerIds: 1 }, { computerIds: ['1'] }, { computerIds: null }])(
    'adding computers with the body %j is refused with 400',
    async (payload) => {
      const group = await given.group()

      const refused = await writer.send({ method: 'POST', url: `/api/group/${group.id}/computers`, payload })

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    },
  )
})
