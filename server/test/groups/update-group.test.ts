import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { updateGroup } from '../../src/features/groups/api/update-group.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { deadlocksDuring } from './deadlocks.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')

const read = async (id: string) => (await as('group.read').call(getGroup, { params: { id } })).body

describe('a change', () => {
  test('sets name and description', async () => {
    const group = await given.group({ description: 'old' })

    const updated = await writer.call(updateGroup, {
      params: { id: group.id },
      body: { name: 'Tills', description: 'At the exit' },
    })

    expect(updated).toMatchObject({ status: 200, body: { name: 'Tills', description: 'At the exit' } })
    expect(await read(group.id)).toEqual(updated.body)
  })

  test.each([
    ['name left out', { description: 'new' }, { description: 'new' }],
    ['name null', { name: null, description: 'new' }, { description: 'new' }],
    ['description left out', { name: 'New' }, { name: 'New' }],
    ['description null', { name: 'New', description: null }, { name: 'New' }],
    ['description empty', { description: '' }, { description: null }],
  ])('with %s touches nothing else', async (_, body, change) => {
    const group = await given.group({ parent: await given.group(), description: 'old' })
    const before = await read(group.id)

    const updated = await writer.call(updateGroup, { params: { id: group.id }, body })

    expect(updated).toMatchObject({ status: 200, body: { ...before, ...change } })
    expect(await read(group.id)).toEqual({ ...before, ...change })
  })

  test('to the own name, also in another case, is no conflict', async () => {
    const group = await given.group({ name: 'Own name' })

    const [same, louder] = [
      await writer.call(updateGroup, { params: { id: group.id }, body: { name: 'Own name' } }),
      await writer.call(updateGroup, { params: { id: group.id }, body: { name: 'OWN NAME' } }),
    ]

    expect([same.status, louder.status]).toEqual([200, 200])
    expect(await read(group.id)).toMatchObject({ name: 'OWN NAME' })
  })

  test('of an old version is refused by If-Match', async () => {
    const group = await given.group({ parent: await given.group() })
    const { headers } = await as('group.read').call(getGroup, { params: { id: group.id } })
    const ifMatch = { 'if-match': headers.etag ?? '' }

    const first = await writer.call(updateGroup, { params: { id: group.id }, body: { name: 'One' }, headers: ifMatch })
    const second = await writer.call(updateGroup, { params: { id: group.id }, body: { name: 'Two' }, headers: ifMatch })

    expect(first.status).toBe(200)
    expect(second).toMatchObject({ status: 412, headers: { etag: first.headers.etag } })
  })
})

describe('refused with 400 and no change is', () => {
  test.each([{}, { name: null }, { description: null }, { name: null, description: null }])(
    'a body that asks for nothing: %j',
    async (body) => {
      const group = await given.group()
      const before = await fingerprints(db)

      const refused = await writer.call(updateGroup, { params: { id: group.id }, body })

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each(['', '  ', 'a/b', 'a\\b', 'x'.repeat(256)])('the name %j', async (name) => {
    const group = await given.group()
    const before = await fingerprints(db)

    const refused = await writer.call(updateGroup, { params: { id: group.id }, body: { name, description: 'new' } })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'name' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['parentId', 'type', 'assignedToTree', 'id'])('a body with %s, by its name', async (property) => {
    const group = await given.group()
    const before = await fingerprints(db)

    const refused = await writer.send({
      method: 'PATCH',
      url: `/api/group/${group.id}`,
      payload: { name: 'New', [property]: group.id },
    })

    expect(refused).toMatchObject({ status: 400, raw: { detail: `body '${property}' is an unknown property` } })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('an unknown group is answered with 404', async () => {
  const before = await fingerprints(db)

  const refused = await writer.call(updateGroup, {
    params: { id: '00000000-0000-4000-8000-000000000000' },
    body: { name: 'New' },
  })

  expect(refused).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(await fingerprints(db)).toEqual(before)
})

describe('in conflict, without a change, is', () => {
  test.each([
    ['a root', () => given.root('AssignmentGroups'), 'SystemGroup'],
    ['the root of another tree', () => given.root('UserGroups'), 'SystemGroup'],
    ['a group of another tree', () => given.group({ tree: 'UserGroups' }), 'NotEditableTree'],
    ['a special group of another tree', () => given.group({ tree: 'UserGroups', kind: 'EOL' }), 'NotEditableTree'],
    ['a Reinstall group', () => given.group({ kind: 'Reinstall' }), 'SpecialGroup'],
    ['an EOL group', () => given.group({ kind: 'EOL' }), 'SpecialGroup'],
    ['a Restore group', () => given.group({ tree: 'AssignmentGroups', kind: 'Restore' }), 'SpecialGroup'],
  ])('%s', async (_, make, problem) => {
    const { id } = await make()
    const before = await fingerprints(db)

    const refused = await writer.call(updateGroup, { params: { id }, body: { name: 'New' } })

    expect(refused).toMatchObject({ status: 409, problem, raw: { groupId: id } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('the name of a sibling, whatever its case', async () => {
    const parent = await given.group()
    await given.group({ parent, name: 'Tills' })
    const other = await given.group({ parent })
    const before = await fingerprints(db)

    const refused = await writer.call(updateGroup, { params: { id: other.id }, body: { name: 'tILLS' } })

    expect(refused).toMatchObject({ status: 409, problem: 'DuplicateName' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('a special group before the name of a sibling', async () => {
    const special = await given.group({ kind: 'EOL' })
    await given.group({ name: 'Taken' })

    const refused = await writer.call(updateGroup, { params: { id: special.id }, body: { name: 'Taken' } })

    expect(refused).toMatchObject({ status: 409, problem: 'SpecialGroup' })
  })
})

test('renames and creations of one name at once leave one bearer of it, and no two wait for each other', async () => {
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

  const bearers = await db
    .selectFrom('groups')
    .select('id')
    .where('parent_id', '=', parent.id)
    .where('name', 'ilike', 'wanted')
    .execute()
  expect(bearers).toHaveLength(1)
  expect(results.filter(({ status }) => status < 300)).toHaveLength(1)
  expect(results.filter(({ problem }) => problem === 'DuplicateName')).toHaveLength(29)
  expect(deadlocks).toBe(0)
})

test('a rename claims its name only when no group is being made, so that the two cannot block each other', async () => {
  const parent = await given.group()
  const group = await given.group({ parent })
  const answers: { status: number; problem: string | undefined }[] = []

  const deadlocks = await deadlocksDuring(async () => {
    let renaming: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (transaction) => {
      const make = (name: string) =>
        transaction.insertInto('groups').values({ tree: parent.tree, parent_id: parent.id, name }).execute()
      await make('First')
      const renamed = writer.call(updateGroup, { params: { id: group.id }, body: { name: 'Wanted' } })
      renaming = renamed.then((answer) => answers.push(answer))
      await someoneWaits()
      await make('Wanted')
    })
    await renaming
  })

  expect(answers).toMatchObject([{ status: 409, problem: 'DuplicateName' }])
  expect(deadlocks).toBe(0)
})

async function someoneWaits(): Promise<void> {
  const waiting = sql`
    select from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`
  while ((await waiting.execute(db)).rows.length === 0) await setTimeout(10)
}
