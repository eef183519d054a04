import { describe, expect, test } from 'vitest'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { listGroupPackages } from '../../src/features/assignments/api/groups/list-group-packages.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import type { DistributionCommand } from '../../src/features/distribution/commands.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { deadlocksDuring } from '../groups/deadlocks.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const unknown = { id: '00000000-0000-4000-8000-000000000000' }

type HasId = { id: string }

const assign = (group: HasId, one: HasId) =>
  writer.call(assignGroupPackage, { params: { id: group.id }, body: { packageId: one.id } })
const remove = (group: HasId, one: HasId) =>
  writer.call(removeGroupPackage, { params: { id: group.id, packageId: one.id } })
const list = (group: HasId, query: object = {}) =>
  as('group.read').call(listGroupPackages, { params: { id: group.id }, query })
const optionsOf = (group: HasId, one?: HasId) => ({
  params: { id: group.id },
  ...(one && { query: { packageId: one.id } }),
})
const setOptions = (group: HasId, one: HasId | undefined, commands: DistributionCommand[]) =>
  writer.call(setDistributionOptions, { ...optionsOf(group, one), body: { commands } })
const commandsOf = async (group: HasId, one?: HasId) =>
  (await as('group.read').call(getDistributionOptions, optionsOf(group, one))).body.commands
const listed = async (group: HasId, query: object = {}) => (await list(group, query)).body.items.map(({ id }) => id)

describe('assignGroupPackage', () => {
  test('assigning a package is answered with 201 the first time and with 200 after that', async () => {
    const [group, one] = [await given.group(), await given.package()]

    const [first, second] = [await assign(group, one), await assign(group, one)]

    const ids = { groupId: group.id, packageId: one.id }
    expect(first).toMatchObject({ status: 201, raw: { ...ids, alreadyAssigned: false } })
    expect(second).toMatchObject({ status: 200, raw: { ...ids, alreadyAssigned: true } })
    expect(await listed(group)).toEqual([one.id])
  })

  test('assigning a package accepts ids in any case and answers with their canonical form', async () => {
    const [group, one] = [await given.group(), await given.package()]

    const assigned = await assign({ id: group.id.toUpperCase() }, { id: one.id.toUpperCase() })

    expect(assigned.body).toEqual({ groupId: group.id, packageId: one.id, alreadyAssigned: false })
  })

  test.each(['Software', 'InventoryScan', 'PatchScan', 'PatchFix'])(
    'a package of the kind %s can be assigned',
    async (kind) => {
      const [group, one] = [await given.group({ tree: 'AssignmentGroups' }), await given.package({ kind })]

      expect((await assign(group, one)).status).toBe(201)
    },
  )

  test('a package can be assigned to the root of a tree, and to a group that inherits it', async () => {
    const [root, one] = [await given.root('ConfigurationGroups'), await given.package()]

    expect((await assign(root, one)).status).toBe(201)
    expect((await assign(await given.group(), one)).status).toBe(201)

    await remove(root, one)
  })

  test('of twenty concurrent requests to assign the same package, exactly one is answered with 201', async () => {
    const [group, one] = [await given.group(), await given.package()]

    const results = await Promise.all(Array.from({ length: 20 }, () => assign(group, one)))

    expect(results.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  })

  test('assigning an unknown package, or to an unknown group, is answered with 404', async () => {
    const [group, special] = [await given.group(), await given.group({ kind: 'EOL' })]
    const before = await fingerprints(db)

    const answers = [await assign(group, unknown), await assign(special, unknown), await assign(unknown, unknown)]

    expect(answers.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      '404 PackageNotFound',
      '404 PackageNotFound',
      '404 GroupNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['Reinstall', 'EOL', 'Restore'] as const)(
    'assigning a package to a %s group is refused with 409',
    async (kind) => {
      const [group, one] = [await given.group({ kind }), await given.package()]
      const before = await fingerprints(db)

      const refused = await assign(group, one)

      expect(refused).toMatchObject({ status: 409, problem: 'SpecialGroup', raw: { groupId: group.id } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each([
    ['OperatingSystem', 'os-image-sku'],
    ['AgentTemplate', 'agent-template'],
    ['LanguagePack', 'language-pack-imports'],
    ['PxeBootImage', 'pxe-bootimage'],
  ])(
    'assigning a package of the kind %s is refused with 409, which names the right endpoint',
    async (kind, endpoint) => {
      const [group, one] = [await given.group(), await given.package({ kind })]
      const before = await fingerprints(db)

      const refused = await assign(group, one)

      expect(refused).toMatchObject({
        status: 409,
        problem: 'WrongEndpointForType',
        raw: { packageId: one.id, endpoint: `/api/group/{id}/${endpoint}` },
      })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test.each([{}, { packageId: null }, { packageId: 'x' }, { packageId: 1 }])(
    'assigning a package with the body %j is refused with 400',
    async (payload) => {
      const group = await given.group()
      const before = await fingerprints(db)

      const refused = await writer.send({ method: 'POST', url: `/api/group/${group.id}/packages`, payload })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'packageId' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )
})

describe('removeGroupPackage', () => {
  test('removing a package deletes only this assignment and its distribution options', async () => {
    const [group, other] = [await given.group(), await given.group()]
    const [gone, kept] = [await given.package(), await given.package()]
    for (const place of [group, other]) for (const one of [gone, kept]) await assign(place, one)
    await setOptions(group, gone, ['Uninstall'])
    await setOptions(group, kept, ['Update'])
    await setOptions(group, undefined, ['Reinstall'])

    const removed = await remove(group, gone)

    expect(removed).toMatchObject({ status: 204, raw: undefined })
    expect(await listed(group)).toEqual([kept.id])
    expect(await listed(other)).toEqual([gone.id, kept.id])
    expect(await commandsOf(group, kept)).toEqual(['Update'])
    expect(await commandsOf(group)).toEqual(['Reinstall'])
    await assign(group, gone)
    expect(await commandsOf(group, gone)).toEqual(['Reinstall'])
  })

  test('removing a package from a group that inherits it, lacks it or is unknown is answered with 404', async () => {
    const parent = await given.group()
    const [group, one] = [await given.group({ parent }), await given.package()]
    await assign(parent, one)
    const before = await fingerprints(db)

    const answers = [await remove(group, one), await remove(group, unknown), await remove(unknown, one)]

    expect(answers.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      '404 PackageNotAssigned',
      '404 PackageNotAssigned',
      '404 GroupNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test('of two concurrent requests to remove the same package, exactly one succeeds', async () => {
    const [group, one] = [await given.group(), await given.package()]
    await assign(group, one)

    const results = await Promise.all([remove(group, one), remove(group, one)])

    expect(results.map(({ status }) => status).sort()).toEqual([204, 404])
  })
})

describe('listGroupPackages', () => {
  test('the packages of a group are listed with all fields of a package', async () => {
    const group = await given.group()
    const one = await given.package({
      name: 'Greeting',
      package_name: 'greeting',
      version: '2.0',
      author: 'Example',
      description: 'Finds what is missing',
      revision: '3',
      is_operational: true,
      operating_systems: ['Linux'],
      kind: 'PatchScan',
    })
    await assign(group, one)

    const { items } = (await list(group)).body

    expect(items).toMatchObject([
      {
        id: one.id,
        name: 'Greeting',
        packageName: 'greeting',
        type: 'Software',
        subType: 'PatchScan',
        version: '2.0',
        author: 'Example',
        description: 'Finds what is missing',
        revision: '3',
        operational: true,
        os: ['Linux'],
      },
    ])
  })

  test('a group lists its own packages, and with includeInherited also inherited ones, each once', async () => {
    const top = await given.group()
    const parent = await given.group({ parent: top })
    const group = await given.group({ parent })
    const [own, shared, inherited, foreign] = [
      await given.package(),
      await given.package(),
      await given.package(),
      await given.package(),
    ]
    for (const one of [own, shared]) await assign(group, one)
    for (const one of [shared, inherited]) await assign(parent, one)
    await assign(top, inherited)
    await assign(await given.group({ parent: group }), foreign)

    const [direct, all] = [await list(group), await list(group, { includeInherited: true })]

    expect(direct.body).toMatchObject({ totalCount: 2, items: [{ id: own.id }, { id: shared.id }] })
    expect(all.body).toMatchObject({ totalCount: 3, items: [{ id: own.id }, { id: shared.id }, { id: inherited.id }] })
  })

  test('the packages of a group are listed page by page, and the link leads to the next page', async () => {
    const parent = await given.group()
    const group = await given.group({ parent })
    const packages = [await given.package(), await given.package(), await given.package()]
    for (const [at, one] of packages.entries()) await assign(at === 1 ? parent : group, one)

    const first = await list(group, { top: 2, includeInherited: true })
    const rest = await as('group.read').send({ url: /<(.*)>/.exec(first.headers.link ?? '')?.[1] ?? '' })

    expect(first.body).toMatchObject({ totalCount: 3, hasMore: true })
    expect(first.body.items.map(({ id }) => id)).toEqual(packages.slice(0, 2).map(({ id }) => id))
    expect(rest.raw).toMatchObject({ hasMore: false, items: [{ id: packages[2]?.id }] })
  })

  test('listing the packages of an unknown group is answered with 404', async () => {
    expect(await list(unknown)).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  })
})

test('deleting a group deletes its assignments and keeps the packages', async () => {
  const [group, other] = [await given.group(), await given.group()]
  const one = await given.package()
  for (const place of [group, other]) await assign(place, one)

  await writer.call(deleteGroup, { params: { id: group.id } })

  const groups = await as('package.read').call(listPackageGroups, { params: { id: one.id } })
  expect(groups.body.items).toMatchObject([{ id: other.id }])
})

test('assigning packages while their group is deleted leaves nothing behind and causes no deadlock', async () => {
  for (let round = 0; round < 5; round++) {
    const group = await given.group()
    const packages = [await given.package(), await given.package(), await given.package()]

    const deadlocks = await deadlocksDuring(async () => {
      const results = await Promise.all([
        ...packages.map((one) => assign(group, one)),
        writer.call(deleteGroup, { params: { id: group.id } }),
      ])
      for (const { status } of results) expect([201, 204, 404]).toContain(status)
    })

    expect(deadlocks).toBe(0)
    expect(await list(group)).toMatchObject({ status: 404 })
  }
})
