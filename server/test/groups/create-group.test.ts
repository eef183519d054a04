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

describe('a new group', () => {
  test('is found below its parent', async () => {
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
    ['left out', {}],
    ['null', { description: null }],
    ['empty', { description: '' }],
  ])('has no description when it is %s', async (_, rest) => {
    const parent = await given.group()

    const created = await writer.call(createGroup, { body: { name: 'Tills', type, parentId: parent.id, ...rest } })

    expect(created.body.description).toBeNull()
  })

  test('may hang on the root of either tree, whose name is taken in any case', async () => {
    const [configuration, assignment] = [await given.root(type), await given.root('AssignmentGroups')]

    const made = await Promise.all([
      post({ name: 'At the root', type: 'configurationgroups', parentId: configuration.id }),
      post({ name: 'At the root', type: 'ASSIGNMENTGROUPS', parentId: assignment.id }),
    ])

    expect(made).toMatchObject([
      { status: 201, raw: { assignedToTree: type } },
      { status: 201, raw: { assignedToTree: 'AssignmentGroups' } },
    ])
  })

  test.each(['x', 'ä ß 漢字 😀', ' padded ', '.', "O'Neil; drop table groups", '%_', '😀'.repeat(255)])(
    'may be called %j',
    async (name) => {
      const parent = await given.group()

      const created = await writer.call(createGroup, { body: { name, type, parentId: parent.id } })

      expect(created).toMatchObject({ status: 201, body: { name } })
    },
  )
})

describe('refused with 400 and no change is', () => {
  test.each(['', ' ', '\t\n', '\u00a0', '\u0085', 'a/b', 'a\\b', '/', 'x'.repeat(256)])('the name %j', async (name) => {
    const parent = await given.group()
    const before = await fingerprints(db)

    const refused = await writer.call(createGroup, { body: { name, type, parentId: parent.id } })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'name' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['Configuration', 'Assignment', 'UserGroups', 'Groups'])('the type %s', async (unknown) => {
    const parent = await given.group()
    const before = await fingerprints(db)

    const refused = await post({ name: 'Tills', type: unknown, parentId: parent.id })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'type' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each([
    ['in the other tree', () => given.group({ tree: 'AssignmentGroups' })],
    ['in a tree of users', () => given.group({ tree: 'UserGroups' })],
    ['that is special in the other tree', () => given.group({ tree: 'AssignmentGroups', kind: 'EOL' })],
  ])('a parent %s', async (_, make) => {
    const parent = await make()
    const before = await fingerprints(db)

    const refused = await writer.call(createGroup, { body: { name: 'Tills', type, parentId: parent.id } })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'type' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['name', 'type', 'parentId'])('a request without %s', async (name) => {
    const { [name]: _, ...body } = { name: 'Tills', type, parentId: (await given.group()).id } as Record<string, string>
    const before = await fingerprints(db)

    const refused = await post(body)

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name, reason: 'is required' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each([{ parentId: null }, { parentId: 'root' }, { description: 'x'.repeat(1001) }, { name: null }])(
    'a request with %j',
    async (change) => {
      const body = { name: 'Tills', type, parentId: (await given.group()).id, ...change }
      const before = await fingerprints(db)

      const refused = await post(body)

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: Object.keys(change)[0] }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )
})

test('an unknown parent is answered with 404, and nothing is made', async () => {
  const parentId = '00000000-0000-4000-8000-000000000000'
  const before = await fingerprints(db)

  const refused = await writer.call(createGroup, { body: { name: 'Tills', type, parentId } })

  expect(refused).toMatchObject({ status: 404, problem: 'ParentNotFound', raw: { parentId } })
  expect(await fingerprints(db)).toEqual(before)
})

describe('in conflict is', () => {
  test.each(['Tills', 'TILLS', 'tills'])(
    'the name %s below a parent that has Tills, and nothing is made',
    async (name) => {
      const parent = await given.group()
      await given.group({ parent, name: 'Tills' })
      const before = await fingerprints(db)

      const refused = await writer.call(createGroup, { body: { name, type, parentId: parent.id } })

      expect(refused).toMatchObject({ status: 409, problem: 'DuplicateName' })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test('not the same name below another parent', async () => {
    const [one, other] = [await given.group(), await given.group()]
    await given.group({ parent: one, name: 'Tills' })

    const created = await writer.call(createGroup, { body: { name: 'Tills', type, parentId: other.id } })

    expect(created.status).toBe(201)
  })

  test.each(['Reinstall', 'EOL', 'Restore'] as const)('a parent that is a %s group', async (kind) => {
    const parent = await given.group({ kind })
    const before = await fingerprints(db)

    const refused = await writer.call(createGroup, { body: { name: 'Tills', type, parentId: parent.id } })

    expect(refused).toMatchObject({ status: 409, problem: 'ParentSpecialGroup', raw: { parentId: parent.id } })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('of fifty requests at once for one name, one makes the group and the others are told of it', async () => {
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

test('a group made below one that is being deleted vanishes with it or finds no parent', async () => {
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

  const left = await db
    .selectFrom('groups')
    .select('id')
    .where(
      'id',
      'in',
      [...parents, ...inner].map(({ id }) => id),
    )
    .execute()
  expect(left).toEqual([])
  for (const { status, problem } of results) expect([201, 204, 'ParentNotFound']).toContain(problem ?? status)
})
