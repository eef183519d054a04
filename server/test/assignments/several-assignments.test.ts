import { describe, expect, test } from 'vitest'
import { assignGroupLanguagePack } from '../../src/features/assignments/api/groups/assign-group-language-pack.ts'
import { assignGroupSoftwareClass } from '../../src/features/assignments/api/groups/assign-group-software-class.ts'
import { listGroupLanguagePacks } from '../../src/features/assignments/api/groups/list-group-language-packs.ts'
import { listGroupSoftwareClasses } from '../../src/features/assignments/api/groups/list-group-software-classes.ts'
import { removeGroupLanguagePack } from '../../src/features/assignments/api/groups/remove-group-language-pack.ts'
import { removeGroupSoftwareClass } from '../../src/features/assignments/api/groups/remove-group-software-class.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const reader = as('group.read')
const unknownGroup = '00000000-0000-4000-8000-000000000000'

type Answer = Promise<{ status: number; problem: string | undefined; raw: unknown }>
type Id = number | string

/** A kind of which a group can have several objects, and how to call its operations. */
type Kind = {
  name: string
  field: string
  make(): Promise<{ id: Id; name: string }>
  list(groupId: string, query?: object): Answer
  assign(groupId: string, id: Id): Answer
  remove(groupId: string, id: Id): Answer
  unknown: Id
  problems: { unknown: string; other: string }
}

const kinds: Kind[] = [
  {
    name: 'language pack',
    field: 'packageId',
    make: () => given.languagePack(),
    list: (id, query = {}) => reader.call(listGroupLanguagePacks, { params: { id }, query }),
    assign: (id, packageId) =>
      writer.call(assignGroupLanguagePack, { params: { id }, body: { packageId: packageId as string } }),
    remove: (id, packageId) => writer.call(removeGroupLanguagePack, { params: { id, packageId: String(packageId) } }),
    unknown: unknownGroup,
    problems: { unknown: 'PackageNotFound', other: 'LanguagePackNotAssigned' },
  },
  {
    name: 'software class',
    field: 'classId',
    make: () => given.softwareClass(),
    list: (id, query = {}) => reader.call(listGroupSoftwareClasses, { params: { id }, query }),
    assign: (id, classId) =>
      writer.call(assignGroupSoftwareClass, { params: { id }, body: { classId: classId as number } }),
    remove: (id, classId) => writer.call(removeGroupSoftwareClass, { params: { id, classId: Number(classId) } }),
    unknown: 2_000_000_000,
    problems: { unknown: 'SoftwareClassNotFound', other: 'SoftwareClassNotAssigned' },
  },
]

describe.each(kinds)('$name:', ({ field, make, list, assign, remove, unknown, problems }) => {
  test('assigning an object is answered with 201 the first time and with 200 after that', async () => {
    const [{ id: groupId }, { id, name }] = [await given.group(), await make()]

    const [first, second] = [await assign(groupId, id), await assign(groupId, id)]

    expect(first).toMatchObject({ status: 201, raw: { groupId, [field]: id, alreadyAssigned: false } })
    expect(second).toMatchObject({ status: 200, raw: { groupId, [field]: id, alreadyAssigned: true } })
    expect((await list(groupId)).raw).toMatchObject({ totalCount: 1, items: [{ id, name }] })
  })

  test('a group can have several objects, which are listed page by page without inherited ones', async () => {
    const parent = await given.group()
    const { id: groupId } = await given.group({ parent })
    const [inherited, ...own] = [await make(), await make(), await make(), await make()]
    if (inherited) await assign(parent.id, inherited.id)
    for (const { id } of own) await assign(groupId, id)

    const page = await list(groupId, { skip: 1, top: 1 })

    expect(page.raw).toMatchObject({ skip: 1, top: 1, totalCount: 3, hasMore: true, items: [{ id: own[1]?.id }] })
    expect(await list(unknownGroup)).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  })

  test('of ten concurrent requests to assign the same object, exactly one is answered with 201', async () => {
    const [{ id: groupId }, { id }] = [await given.group(), await make()]

    const results = await Promise.all(Array.from({ length: 10 }, () => assign(groupId, id)))

    expect(results.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
  })

  test('assigning an unknown object, or to an unknown group, is answered with 404', async () => {
    const [group, special] = [await given.group(), await given.group({ kind: 'EOL' })]
    const before = await fingerprints(db)

    const answers = [
      await assign(group.id, unknown),
      await assign(special.id, unknown),
      await assign(unknownGroup, unknown),
    ]

    expect(answers.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      `404 ${problems.unknown}`,
      `404 ${problems.unknown}`,
      '404 GroupNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['Reinstall', 'EOL', 'Restore'] as const)(
    'assigning an object to a %s group is refused with 409',
    async (kind) => {
      const [{ id: groupId }, { id }] = [await given.group({ kind }), await make()]
      const before = await fingerprints(db)

      const refused = await assign(groupId, id)

      expect(refused).toMatchObject({ status: 409, problem: 'SpecialGroup', raw: { groupId } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test('removing an object deletes only this assignment', async () => {
    const [group, other] = [await given.group(), await given.group()]
    const [gone, kept] = [await make(), await make()]
    for (const place of [group, other]) for (const { id } of [gone, kept]) await assign(place.id, id)

    const removed = await remove(group.id, gone.id)

    expect(removed).toMatchObject({ status: 204, raw: undefined })
    expect((await list(group.id)).raw).toMatchObject({ items: [{ id: kept.id }] })
    expect((await list(other.id)).raw).toMatchObject({ totalCount: 2 })
  })

  test('removing an object that is not assigned to the group directly is answered with 404', async () => {
    const parent = await given.group()
    const [group, { id }] = [await given.group({ parent }), await make()]
    await assign(parent.id, id)
    const before = await fingerprints(db)

    const answers = [await remove(group.id, id), await remove(group.id, unknown), await remove(unknownGroup, id)]

    expect(answers.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      `404 ${problems.other}`,
      `404 ${problems.other}`,
      '404 GroupNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test('an assignment without an id in the body is refused with 400', async () => {
    const { id: groupId } = await given.group()
    const before = await fingerprints(db)

    const refused = await assign(groupId, undefined as never)

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: field }] } })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('assigning another kind of package as a language pack is refused with 409', async () => {
  const [group, template] = [await given.group(), await given.agentTemplate()]
  const before = await fingerprints(db)

  const refused = await writer.call(assignGroupLanguagePack, {
    params: { id: group.id },
    body: { packageId: template.id },
  })

  expect(refused).toMatchObject({
    status: 409,
    problem: 'WrongEndpointForType',
    raw: { packageId: template.id, endpoint: '/api/group/{id}/agent-template' },
  })
  expect(await fingerprints(db)).toEqual(before)
})
