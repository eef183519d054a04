import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { listGroups } from '../../src/features/groups/api/list-groups.ts'
import { updateGroup } from '../../src/features/groups/api/update-group.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { deadlocksDuring } from './deadlocks.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')

const read = async (id: string) => (await as('group.read').call(getGroup, { params: { id } })).body

describe('updating a group', () => {
  test('an update sets the name and the description of a group', async () => {
    const group = await given.group({ description: 'old' })

    const updated = await writer.call(updateGroup, {
      params: { id: group.id },
      body: { name: 'Tills', description: 'At the exit' },
    })

    expect(updated).toMatchObject({ status: 200, body: { name: 'Tills', description: 'At the exit' } })
    expect(await read(group.id)).toEqual(updated.body)
  })

  test.each([
    ['no name', { description: 'new' }, { description: 'new' }],
    ['the name null', { name: null, description: 'new' }, { description: 'new' }],
    ['no description', { name: 'New' }, { name: 'New' }],
    ['the description null', { name: 'New', description: null }, { name: 'New' }],
    ['an empty description', { description: '' }, { description: null }],
  ])('an update with %s changes nothing else in the group', async (_, body, change) => {
    const group = await given.group({ parent: await given.group(), description: 'old' })
    const before = await read(group.id)

    const updated = await writer.call(updateGroup, { params: { id: group.id }, body })

    expect(updated).toMatchObject({ status: 200, body: { ...before, ...change } })
    expect(await read(group.id)).toEqual({ ...before, ...change })
  })

  test('a group can be renamed to its own name, even in another case', async () => {
    const group = await given.group({ name: 'Own name' })

    const [same, upperCase] = [
      await writer.call(updateGroup, { params: { id: group.id }, body: { name: 'Own name' } }),
      await writer.call(updateGroup, { params: { id: group.id }, body: { name: 'OWN NAME' } }),
    ]

    expect([same.status, upperCase.status]).toEqual([200, 200])
    expect(await read(group.id)).toMatchObject({ name: 'OWN NAME' })
  })

  test('an update with the ETag of an older version is refused with 412', async () => {
    const group = await given.group({ parent: await given.group() })
    const { headers } = await as('group.read').call(getGroup, { params: { id: group.id } })
    const ifMatch = { 'if-match': headers.etag ?? '' }
    const editor = as('group.read', 'group.write')

    const first = await editor.call(updateGroup, { params: { id: group.id }, body: { name: 'One' }, headers: ifMatch })
    const second = await editor.call(updateGroup, { params: { id: group.id }, body: { name: 'Two' }, headers: ifMatch })

    expect(first.status).toBe(200)
    expect(second).toMatchObject({ status: 412, headers: { etag: first.headers.etag } })
  })
})

describe('invalid updates of a group', () => {
  test.each([{}, { name: null }, { description: null }, { name: null, description: null }])(
    'the body %j changes nothing and is refused with 400',
    async (body) => {
      const group = await given.group()
      const before = await fingerprints(db)

      const refused = await writer.call(updateGroup, { params: { id: group.id }, body })

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each(['', '  ', 'a/b', 'a\\b', 'x'.repeat(256)])(
    'renaming a group to %j is refused with 400, and nothing changes',
    async (name) => {
      const group = await given.group()
      const before = await fingerprints(db)

      const refused = await writer.call(updateGroup, { params: { id: group.id }, body: { name, description: 'new' } })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'name' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each(['parentId', 'type', 'assignedToTree', 'id'])(
    'an update of the property %s is refused with 400, and nothing changes',
    async (property) => {
      const group = await given.group()
      const before = await fingerprints(db)

      const refused = await writer.send({
        method: 'PATCH',
        url: `/api/group/${group.id}`,
        payload: { name: 'New', [property]: group.id },
      })

      expect(refused).toMatchObject({ status: 400, raw: { detail: `body '${property}' is an unknown property` } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )
})

test('updating an unknown group answers 404', async () => {
  const before = await fingerprints(db)

  const refused = await writer.call(updateGroup, {
    params: { id: '00000000-0000-4000-8000-000000000000' },
    body: { name: 'New' },
  })

  expect(refused).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(await fingerprints(db)).toEqual(before)
})

describe('conflicts when updating a group', () => {
  test.each([
    ['a root', () => given.root('AssignmentGroups'), 'SystemGroup'],
    ['the root of another tree', () => given.root('UserGroups'), 'SystemGroup'],
    ['a group of another tree', () => given.group({ tree: 'UserGroups' }), 'NotEditableTree'],
    ['a special group of another tree', () => given.group({ tree: 'UserGroups', kind: 'EOL' }), 'NotEditableTree'],
    ['a Reinstall group', () => given.group({ kind: 'Reinstall' }), 'SpecialGroup'],
    ['an EOL group', () => given.group({ kind: 'EOL' }), 'SpecialGroup'],
    ['a Restore group', () => given.group({ tree: 'AssignmentGroups', kind: 'Restore' }), 'SpecialGroup'],
  ])('renaming %s is refused with 409, and nothing changes', async (_, make, problem) => {
    const { id } = await make()
    const before = await fingerprints(db)

    const refused = await writer.call(updateGroup, { params: { id }, body: { name: 'New' } })

    expect(refused).toMatchObject({ status: 409, problem, raw: { groupId: id } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('renaming a group to the name of a sibling in any case is refused with 409, and nothing changes', async () => {
    const parent = await given.group()
    await given.group({ parent, name: 'Tills' })
    const other = await given.group({ parent })
    const before = await fingerprints(db)

    const refused = await writer.call(updateGroup, { params: { id: other.id }, body: { name: 'tILLS' } })

    expect(refused).toMatchObject({ status: 409, problem: 'DuplicateName' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('renaming a special group to the name of a sibling answers SpecialGroup', async () => {
    const special = await given.group({ kind: 'EOL' })
    await given.group({ name: 'Taken' })

    const refused = await writer.call(updateGroup, { params: { id: special.id }, body: { name: 'Taken' } })

    expect(refused).toMatchObject({ status: 409, problem: 'SpecialGroup' })
  })
})

test('when groups are renamed and created with the same name at once, one succeeds and there is no deadlock', async () => {
  const parent = await given.group()
  const siblings = await Promise.all(Array.from({ length: 15 }, () => given.group({ parent })))
  const results: { status: number; problem: string | undefined }[] = []

  const deadlocks = await deadlocksDuring(async () => {
    const requests = siblings.flatMap(({ id }) => [
      writer.call(updateGroup, { params: { id }, body: { name: 'Wanted' } }),
      writer.call(createGroup, { body: { name: 'wanted', type: 'ConfigurationGroups', parentId: parent.id } }),
    ])
    results.push(...(await Promise.all(requests)))
  })

  const listed = await as('group.read').call(listGroups, { query: { nameContains: 'wanted' } })
  expect(listed.body.items.filter(({ parentId }) => parentId === parent.id)).toHaveLength(1)
  expect(results.filter(({ status }) => status < 300)).toHaveLength(1)
  expect(results.filter(({ problem }) => problem === 'DuplicateName')).toHaveLength(29)
  expect(deadlocks).toBe(0)
})

test('a rename waits until no group is being created so that the two cannot deadlock', async () => {
  const parent = await given.group()
  const group = await given.group({ parent })
  const answers: { status: number; problem: string | undefined }[] = []

  const deadlocks = await deadlocksDuring(async () => {
    let renaming: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (transaction) => {
      const insertGroup = (name: string) =>
        transaction.insertInto('groups').values({ tree: parent.tree, parent_id: parent.id, name }).execute()
      await insertGroup('First')
      const renamed = writer.call(updateGroup, { params: { id: group.id }, body: { name: 'Wanted' } })
      renaming = renamed.then((answer) => answers.push(answer))
      await waitForBlockedStatement()
      await insertGroup('Wanted')
    })
    await renaming
  })

  expect(answers).toMatchObject([{ status: 409, problem: 'DuplicateName' }])
  expect(deadlocks).toBe(0)
})

/** Returns as soon as a statement of this database waits for a lock. */
async function waitForBlockedStatement(): Promise<void> {
  const blocked = sql`
    select from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`
  while ((await blocked.execute(db)).rows.length === 0) await setTimeout(10)
}
