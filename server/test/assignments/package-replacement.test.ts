import { describe, expect, test } from 'vitest'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { listGroupPackages } from '../../src/features/assignments/api/groups/list-group-packages.ts'
import { replacePackage } from '../../src/features/assignments/api/groups/replace-package.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const unknown = { id: '00000000-0000-4000-8000-000000000000' }

type Some = { id: string }

const replace = (before: Some, after: Some, more: { copyDistributionOptions?: boolean } = {}) =>
  writer.call(replacePackage, { body: { oldPackageId: before.id, newPackageId: after.id, ...more } })

const packagesOf = async (group: Some) => {
  const { body } = await as('group.read').call(listGroupPackages, { params: { id: group.id } })
  return body.items.map(({ id }) => id)
}
const groupsOf = async (one: Some) => {
  const { body } = await as('package.read').call(listPackageGroups, { params: { id: one.id } })
  return body.items.map(({ id }) => id)
}

const some = {
  dist_commands: 3,
  schedule: 'start=2030-01-01T00:00:00Z',
  revoke_count: 4,
  wol: true,
  revoke_date: new Date('2030-02-01T00:00:00Z'),
  optional_date: new Date('2030-03-01T00:00:00Z'),
}

async function givenOptions(group: Some, one: Some | null, options: Partial<typeof some> = some) {
  await db
    .insertInto('distribution_options')
    .values({ group_id: group.id, package_id: one?.id ?? null, dist_commands: 1, ...options })
    .execute()
}

async function optionsOf(group: Some) {
  return db
    .selectFrom('distribution_options')
    .select(['package_id', 'dist_commands', 'schedule', 'revoke_count', 'wol', 'revoke_date', 'optional_date'])
    .where('group_id', '=', group.id)
    .orderBy('package_id')
    .execute()
}

async function twoPackages() {
  return [await given.package(), await given.package()] as const
}

test('the new package takes the place of the old one in every group that has it directly', async () => {
  const [before, after] = await twoPackages()
  const [one, two] = [await given.group(), await given.group({ tree: 'AssignmentGroups' })]
  const [below, other] = [await given.group({ parent: one }), await given.package()]
  for (const group of [one, two]) await given.assignment(group, before, 'package')
  await given.assignment(one, other, 'package')

  const replaced = await replace(before, after)

  const result = { success: true, status: 'Replaced', distributionOptionsCopied: false }
  expect(replaced).toMatchObject({
    status: 200,
    raw: {
      oldPackageId: before.id,
      newPackageId: after.id,
      succeeded: 2,
      failed: 0,
      results: [
        { groupId: one.id, groupPath: one.path, ...result },
        { groupId: two.id, groupPath: two.path, ...result },
      ],
    },
  })
  expect(await groupsOf(before)).toEqual([])
  expect(await groupsOf(after)).toEqual([one.id, two.id])
  expect(await packagesOf(one)).toEqual([after.id, other.id])
  expect(await packagesOf(below)).toEqual([])
})

test('repeating it finds nothing to do', async () => {
  const [before, after] = await twoPackages()
  await given.assignment(await given.group(), before, 'package')
  await replace(before, after)

  const again = await replace(before, after)

  expect(again).toMatchObject({ status: 200, body: { succeeded: 0, failed: 0, results: [] } })
})

describe('distribution options', () => {
  test('are copied by default, whole, and those of the group and of other packages stay', async () => {
    const [before, after] = await twoPackages()
    const [group, other] = [await given.group(), await given.package()]
    for (const one of [before, other]) await given.assignment(group, one, 'package')
    await givenOptions(group, before)
    await givenOptions(group, other, { dist_commands: 4 })
    await givenOptions(group, null, { dist_commands: 2 })

    const replaced = await replace(before, after)

    expect(replaced.body.results).toMatchObject([{ status: 'Replaced', distributionOptionsCopied: true }])
    expect(await optionsOf(group)).toMatchObject([
      { package_id: after.id, ...some },
      { package_id: other.id, dist_commands: 4 },
      { package_id: null, dist_commands: 2 },
    ])
  })

  test('are not copied when that is not wanted', async () => {
    const [before, after] = await twoPackages()
    const group = await given.group()
    await given.assignment(group, before, 'package')
    await givenOptions(group, before)

    const replaced = await replace(before, after, { copyDistributionOptions: false })

    expect(replaced.body.results).toMatchObject([{ status: 'Replaced', distributionOptionsCopied: false }])
    expect(await optionsOf(group)).toEqual([])
    expect(await packagesOf(group)).toEqual([after.id])
  })

  test('of a new package that the group had before stay as they are', async () => {
    const [before, after] = await twoPackages()
    const [configured, bare] = [await given.group(), await given.group()]
    for (const group of [configured, bare])
      for (const one of [before, after]) await given.assignment(group, one, 'package')
    for (const group of [configured, bare]) await givenOptions(group, before)
    await givenOptions(configured, after, { dist_commands: 4 })

    const replaced = await replace(before, after)

    const result = { success: true, status: 'AlreadyAssigned', distributionOptionsCopied: false }
    expect(replaced.body).toMatchObject({ succeeded: 2, results: [result, result] })
    for (const group of [configured, bare]) expect(await packagesOf(group)).toEqual([after.id])
    expect(await optionsOf(configured)).toMatchObject([{ package_id: after.id, dist_commands: 4, schedule: '' }])
    expect(await optionsOf(bare)).toEqual([])
  })

  test('that are being changed at the same time are copied as they end up', async () => {
    const [before, after] = await twoPackages()
    const group = await given.group()
    await given.assignment(group, before, 'package')
    await givenOptions(group, before)

    let replacing: ReturnType<typeof replace> | undefined
    await db.transaction().execute(async (change) => {
      await change
        .updateTable('distribution_options')
        .set({ dist_commands: 4 })
        .where('group_id', '=', group.id)
        .execute()
      replacing = replace(before, after)
      await new Promise((resolve) => setTimeout(resolve, 300))
    })

    expect((await replacing)?.status).toBe(200)
    expect(await optionsOf(group)).toMatchObject([{ ...some, package_id: after.id, dist_commands: 4 }])
  })
})

describe('a group that keeps the old package does not stop the others:', () => {
  test('a software class of its own or of a group above contains the new one', async () => {
    const [before, after] = await twoPackages()
    const softwareClass = await given.softwareClass({ packages: [after] })
    const covered = await given.group()
    const below = await given.group({ parent: covered })
    const had = await given.group({ parent: covered })
    const free = await given.group()
    for (const group of [covered, below, had, free]) await given.assignment(group, before, 'package')
    await given.assignment(had, after, 'package')
    await given.assignment(covered, softwareClass, 'softwareClass')

    const replaced = await replace(before, after)

    expect(replaced.body).toMatchObject({
      succeeded: 2,
      failed: 2,
      results: [
        { groupId: covered.id, success: false, status: 'CoveredBySoftwareClass' },
        { groupId: below.id, success: false, status: 'CoveredBySoftwareClass' },
        { groupId: had.id, success: true, status: 'AlreadyAssigned' },
        { groupId: free.id, success: true, status: 'Replaced' },
      ],
    })
    expect(await groupsOf(before)).toEqual([covered.id, below.id])
    expect(await groupsOf(after)).toEqual([had.id, free.id])
  })

  test.each(['Reinstall', 'EOL', 'Restore'] as const)('it is a %s group', async (kind) => {
    const [before, after] = await twoPackages()
    const [special, ordinary] = [await given.group({ kind }), await given.group()]
    for (const group of [special, ordinary]) await given.assignment(group, before, 'package')

    const replaced = await replace(before, after)

    expect(replaced.body).toMatchObject({
      succeeded: 1,
      failed: 1,
      results: [
        { groupId: special.id, success: false, status: 'SpecialGroup' },
        { groupId: ordinary.id, success: true, status: 'Replaced' },
      ],
    })
    expect(await groupsOf(before)).toEqual([special.id])
  })
})

describe('nothing changes', () => {
  test('for an unknown package, which is answered with 404', async () => {
    const [before] = await twoPackages()
    await given.assignment(await given.group(), before, 'package')
    const tables = await fingerprints(db)

    const answers = [await replace(before, unknown), await replace(unknown, before)]

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, problem: 'PackageNotFound', raw: { packageId: unknown.id } })
    expect(await fingerprints(db)).toEqual(tables)
  })

  test.each(['OperatingSystem', 'AgentTemplate', 'LanguagePack', 'PxeBootImage'])(
    'for a package of the kind %s, which is refused with 409',
    async (kind) => {
      const [software, other] = [await given.package(), await given.package({ kind })]
      await given.assignment(await given.group(), software, 'package')
      const tables = await fingerprints(db)

      const answers = [await replace(software, other), await replace(other, software)]

      for (const answer of answers)
        expect(answer).toMatchObject({ status: 409, problem: 'WrongEndpointForType', raw: { packageId: other.id } })
      expect(await fingerprints(db)).toEqual(tables)
    },
  )

  test('for a package and itself, which is refused with 400', async () => {
    const [before] = await twoPackages()
    await given.assignment(await given.group(), before, 'package')
    const tables = await fingerprints(db)

    const answers = [await replace(before, before), await replace(before, { id: before.id.toUpperCase() })]

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'newPackageId' }] } })
    expect(await fingerprints(db)).toEqual(tables)
  })
})
