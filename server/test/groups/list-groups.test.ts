import { describe, expect, test } from 'vitest'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { listGroups } from '../../src/features/groups/api/list-groups.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given } = await openWorld()
const reader = as('group.read')

const desks = await given.group({ name: 'Front Desks', description: 'Desks on the second floor' })
const nested = await given.group({ parent: desks, name: 'Desks 100%_ok' })
const pilot = await given.group({ tree: 'AssignmentGroups', name: 'Pilot desks' })
const users = await given.group({ tree: 'UserGroups', name: 'Clerks' })

const namesOf = async (query: object) =>
  (await reader.call(listGroups, { query })).body.items.map((group) => group.name).sort()

test('a group is returned with its tree, its parent and its description', async () => {
  const read = await reader.call(getGroup, { params: { id: desks.id } })

  expect(read).toMatchObject({
    status: 200,
    body: {
      id: desks.id,
      name: 'Front Desks',
      assignedToTree: 'ConfigurationGroups',
      parentId: (await given.root('ConfigurationGroups')).id,
      description: 'Desks on the second floor',
    },
  })
  expect(read.headers.etag).toBeTypeOf('string')
})

test('the root of a tree has no parent, and missing properties are null', async () => {
  const root = await given.root('AssignmentGroups')

  const read = await reader.call(getGroup, { params: { id: root.id } })

  expect(read.raw).toEqual({
    id: root.id,
    name: root.name,
    assignedToTree: 'AssignmentGroups',
    parentId: null,
    description: null,
  })
})

test('reading an unknown group answers 404, and a malformed id answers 400', async () => {
  const unknown = await reader.send({ method: 'GET', url: '/api/group/00000000-0000-4000-8000-000000000000' })
  const malformed = await reader.send({ method: 'GET', url: '/api/group/17' })

  expect(unknown).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(malformed).toMatchObject({ status: 400, raw: { errors: [{ in: 'path', name: 'id' }] } })
})

describe('listing groups', () => {
  test('the list contains the groups of all trees, ordered by id', async () => {
    const { items, totalCount, hasMore } = (await reader.call(listGroups)).body

    const ids = items.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([desks.id, nested.id, pilot.id, users.id]))
    expect(ids).toEqual(ids.toSorted())
    expect({ totalCount, hasMore }).toEqual({ totalCount: ids.length, hasMore: false })
  })

  test.each(['ConfigurationGroups', 'Configuration', 'configurationGROUPS', 'CONFIGURATION'])(
    'the type %s limits the list to the configuration tree',
    async (type) => {
      expect(await namesOf({ type, nameContains: 'desk' })).toEqual([nested.name, 'Front Desks'])
    },
  )

  test.each(['AssignmentGroups', 'Assignment', 'assignment'])(
    'the type %s limits the list to the assignment tree',
    async (type) => {
      expect(await namesOf({ type })).toEqual(['Assignment', 'Pilot desks'])
    },
  )

  test.each(['UserGroups', 'Config', ''])('the list refuses the type %j', async (type) => {
    const refused = await reader.send({ method: 'GET', url: `/api/group?type=${type}` })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'type' }] } })
  })

  test('the list can be filtered by a part of the name, regardless of case', async () => {
    expect(await namesOf({ nameContains: 'DESKS' })).toEqual([nested.name, 'Front Desks', 'Pilot desks'])
    expect(await namesOf({ nameContains: 'no such name' })).toEqual([])
  })

  test.each(['%', '_', '100%_'])('a filter by name takes %s literally, not as a wildcard', async (nameContains) => {
    expect(await namesOf({ nameContains })).toEqual([nested.name])
  })

  test('the list refuses a filter of more than 255 characters', async () => {
    const [allowed, tooLong] = await Promise.all(
      [255, 256].map((length) => reader.call(listGroups, { query: { nameContains: 'x'.repeat(length) } })),
    )

    expect(allowed?.status).toBe(200)
    expect(tooLong).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'nameContains' }] } })
  })

  test('the list is returned in pages, by skip and by cursor', async () => {
    const all = (await reader.call(listGroups)).body.items.map(({ id }) => id)

    const second = await reader.call(listGroups, { query: { skip: 2, top: 2 } })
    const third = await reader.send({ method: 'GET', url: nextPageUrl(second.headers) })

    expect(second.body).toMatchObject({ skip: 2, top: 2, totalCount: all.length, hasMore: true })
    expect(second.body.items.map(({ id }) => id)).toEqual(all.slice(2, 4))
    expect((third.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(all.slice(4, 6))
  })
})

function nextPageUrl(headers: Record<string, string>): string {
  return /<(.+)>/.exec(headers.link ?? '')?.[1] ?? ''
}
