import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { listGroups } from '../../src/features/groups/api/list-groups.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const type = 'ConfigurationGroups' as const

const post = (payload: object) => writer.send({ method: 'POST', url: '/api/group', payload })

describe('creating a group', () => {
  test('a new group is found below its parent', async () => {
    const parent = await given.group()

    const created = await writer.call(createGroup, {
      body: { name: 'Tills', type, parentId: parent.id, description: 'At the exit' },
    })

    const read = await as('group.read').call(getGroup, { params: { id: created.body.id } })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      name: 'Tills',
      assignedToTree: type,
      parentId: parent.id,
      description: 'At the exit',
    })
    expect(read.body).toEqual(created.body)
  })

  test.each([
    ['missing', {}],
    ['null', { description: null }],
    ['empty', { description: '' }],
  ])('a new group has no description if it is %s in the request', async (_, rest) => {
    const parent = await given.group()

    const created = await writer.call(createGroup, { body: { name: 'Tills', type, parentId: parent.id, ...rest } })

    expect(created.body.description).toBeNull()
  })

  test('a new group may be a child of the root of either tree, and the case of the type does not matter', async () => {
    const [configuration, assignment] = [await given.root(type), await given.root('AssignmentGroups')]

    const created = await Promise.all([
      post({ name: 'At the root', type: 'configurationgroups', parentId: configuration.id }),
      post({ name: 'At the root', type: 'ASSIGNMENTGROUPS', parentId: assignment.id }),
    ])

    expect(created).toMatchObject([
      { status: 201, raw: { assignedToTree: type } },
      { status: 201, raw: { assignedToTree: 'AssignmentGroups' } },
    ])
  })

  test.each(['x', 'ä ß 漢字 😀', '.', "O'Neil; drop table groups", '%_', '😀'.repeat(255)])(
    'a new group may have the name %j',
    async (name) => {
      const parent = await given.group()

      const created = await writer.call(createGroup, { body: { name, type, parentId: parent.id } })

      expect(created).toMatchObject({ status: 201, body: { name } })
    },
  )
})

describe('invalid requests to create a group', () => {
  test.each(['', ' ', '\t\n', '\u00a0', '\u0085', 'a/b', 'a\\b', '/', 'x'.repeat(256)])(
    'the group name %j is refused with 400, and nothing is created',
    async (name) => {
      const parent = await given.group()
      const before = await fingerprints(db)

      const refused = await writer.call(createGroup, { body: { name, type, parentId: parent.id } })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'name' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each(['Configuration', 'Assignment', 'UserGroups', 'Groups'])(
    'the group type %s is refused with 400, and nothing is created',
    async (unknown) => {
      const parent = await given.group()
      const before = await fingerprints(db)

      const refused = await post({ name: 'Tills', type: unknown, parentId: parent.id })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'type' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each([
    ['in the other tree', () => given.group({ tree: 'AssignmentGroups' })],
    ['in a tree of users', () => given.group({ tree: 'UserGroups' })],
    ['that is special in the other tree', () => given.group({ tree: 'AssignmentGroups', kind: 'EOL' })],
  ])('a parent %s is refused with 400, and nothing is created', async (_, make) => {
    const parent = await make()
    const before = await fingerprints(db)

    const refused = await writer.call(createGroup, { body: { name: 'Tills', type, parentId: parent.id } })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'type' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['name', 'type', 'parentId'])(
    'a request to create a group without %s is refused with 400, and nothing is created',
    async (name) => {
      const { [name]: _, ...body } = { name: 'Tills', type, parentId: (await given.group()).id } as Record<
        string,
        string
      >
      const before = await fingerprints(db)

      const refused = await post(body)

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name, reason: 'is required' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each([{ parentId: null }, { parentId: 'root' }, { description: 'x'.repeat(1001) }, { name: null }])(
    'a request to create a group with %j is refused with 400, and nothing is created',
    async (change) => {
      const body = { name: 'Tills', type, parentId: (await given.group()).id, ...change }
      const before = await fingerprints(db)

      const refused = await post(body)

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: Object.keys(change)[0] }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )
})

test('creating a group below an unknown parent answers 404, and nothing is created', async () => {
  const parentId = '00000000-0000-4000-8000-000000000000'
  const before = await fingerprints(db)

  const refused = await writer.call(createGroup, { body: { name: 'Tills', type, parentId } })

  expect(refused).toMatchObject({ status: 404, problem: 'ParentNotFound', raw: { parentId } })
  expect(await fingerprints(db)).toEqual(before)
})

describe('conflicts when creating a group', () => {
  test.each(['Tills', 'TILLS', 'tills'])(
    'the name %s is refused with 409 below a parent that has a child named Tills, and nothing is created',
    async (name) => {
      const parent = await given.group()
      await given.group({ parent, name: 'Tills' })
      const before = await fingerprints(db)

      const refused = await writer.call(createGroup, { body: { name, type, parentId: parent.id } })

      expect(refused).toMatchObject({ status: 409, problem: 'DuplicateName' })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test('groups below different parents may have the same name', async () => {
    const [one, other] = [await given.group(), await given.group()]
    await given.group({ parent: one, name: 'Tills' })

    const created = await writer.call(createGroup, { body: { name: 'Tills', type, parentId: other.id } })

    expect(created.status).toBe(201)
  })

  test.each(['Reinstall', 'EOL', 'Restore'] as const)(
    'a %s group is refused as a parent with 409, and nothing is created',
    async (kind) => {
      const parent = await given.group({ kind })
      const before = await fingerprints(db)

      const refused = await writer.call(createGroup, { body: { name: 'Tills', type, parentId: parent.id } })

      expect(refused).toMatchObject({ status: 409, problem: 'ParentSpecialGroup', raw: { parentId: parent.id } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )
})

test('when fifty requests create the same name at once, one succeeds and the others get 409', async () => {
  const parent = await given.group()

  const results = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      writer.call(createGroup, { body: { name: n % 2 ? 'Racer' : 'RACER', type, parentId: parent.id } }),
    ),
  )

  const listed = await as('group.read').call(listGroups, { query: { nameContains: 'racer' } })
  expect(results.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(results.filter(({ problem }) => problem === 'DuplicateName')).toHaveLength(49)
  expect(listed.body.totalCount).toBe(1)
})

test('a group created below one that is being deleted is deleted with it or refused with 404', async () => {
  const parents = await Promise.all(Array.from({ length: 10 }, () => given.group()))
  const inner = await Promise.all(parents.map((parent) => given.group({ parent })))

  const results = await Promise.all(
    parents.flatMap(({ id }, n) => [
      writer.call(deleteGroup, { params: { id } }),
      ...['one', 'two', 'three'].map((name) =>
        writer.call(createGroup, { body: { name, type, parentId: inner[n]?.id ?? '' } }),
      ),
    ]),
  )

  const listed = (await as('group.read').call(listGroups, { query: { top: 1000 } })).body.items
  const deleted = new Set([...parents, ...inner].map(({ id }) => id))
  expect(listed.filter(({ id, parentId }) => deleted.has(id) || deleted.has(parentId ?? ''))).toEqual([])
  for (const { status, problem } of results) expect([201, 204, 'ParentNotFound']).toContain(problem ?? status)
})
