import { describe, expect, test } from 'vitest'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { listGroupPackages } from '../../src/features/assignments/api/groups/list-group-packages.ts'
import { replacePackage } from '../../src/features/assignments/api/groups/replace-package.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import type { DistributionCommand } from '../../src/features/distribution/commands.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const unknown = { id: '00000000-0000-4000-8000-000000000000' }

type HasId = { id: string }

const replace = (before: HasId, after: HasId, more: { copyDistributionOptions?: boolean } = {}) =>
  writer.call(replacePackage, { body: { oldPackageId: before.id, newPackageId: after.id, ...more } })

const packagesOf = async (group: HasId) => {
  const { body } = await as('group.read').call(listGroupPackages, { params: { id: group.id } })
  return body.items.map(({ id }) => id)
}
const groupsOf = async (one: HasId) => {
  const { body } = await as('package.read').call(listPackageGroups, { params: { id: one.id } })
  return body.items.map(({ id }) => id)
}

const fullOptions = {
  commands: ['Install' as const, 'Update' as const],
  scheduleString: 'FROM=2030-01-01T00:00:00Z',
  revokeCount: 4,
  wol: true,
  revokeDate: '2030-02-01T00:00:00.000Z',
  optionalDate: '2030-03-01T00:00:00.000Z',
}

const defaultOptions = {
  commands: ['Install'],
  scheduleString: '',
  revokeCount: 0,
  wol: false,
  revokeDate: null,
  optionalDate: null,
}

const addressOf = (group: HasId, one: HasId | null) => ({
  params: { id: group.id },
  ...(one && { query: { packageId: one.id } }),
})

async function setOptions(group: HasId, one: HasId | null, body: { commands: DistributionCommand[] } = fullOptions) {
  expect((await writer.call(setDistributionOptions, { ...addressOf(group, one), body })).status).toBe(200)
}

const optionsOf = async (group: HasId, one: HasId | null) =>
  (await as('group.read').call(getDistributionOptions, addressOf(group, one))).body

async function twoPackages() {
  return [await given.package(), await given.package()] as const
}

test('the new package replaces the old one in every group that has it directly', async () => {
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

test('a repeated replacement finds nothing to change', async () => {
  const [before, after] = await twoPackages()
  await given.assignment(await given.group(), before, 'package')
  await replace(before, after)

  const again = await replace(before, after)

  expect(again).toMatchObject({ status: 200, body: { succeeded: 0, failed: 0, results: [] } })
})

describe('distribution options', () => {
  test('a replacement copies all distribution options by default, and keeps those of the group and of other packages', async () => {
    const [before, after] = await twoPackages()
    const [group, other] = [await given.group(), await given.package()]
    for (const one of [before, other]) await given.assignment(group, one, 'package')
    await setOptions(group, before)
    await setOptions(group, other, { commands: ['Uninstall'] })
    await setOptions(group, null, { commands: ['Update'] })

    const replaced = await replace(before, after)

    expect(replaced.body.results).toMatchObject([{ status: 'Replaced', distributionOptionsCopied: true }])
    expect(await optionsOf(group, after)).toMatchObject(fullOptions)
    expect(await optionsOf(group, other)).toMatchObject({ commands: ['Uninstall'] })
    expect(await optionsOf(group, null)).toMatchObject({ commands: ['Update'] })
  })

  test('a replacement without copyDistributionOptions copies no distribution options', async () => {
    const [before, after] = await twoPackages()
    const group = await given.group()
    await given.assignment(group, before, 'package')
    await setOptions(group, before)

    const replaced = await replace(before, after, { copyDistributionOptions: false })

    expect(replaced.body.results).toMatchObject([{ status: 'Replaced', distributionOptionsCopied: false }])
    expect(await optionsOf(group, after)).toMatchObject(defaultOptions)
    expect(await packagesOf(group)).toEqual([after.id])
  })

  test('a replacement keeps the distribution options of a new package that the group already has', async () => {
    const [before, after] = await twoPackages()
    const [configured, bare] = [await given.group(), await given.group()]
    for (const group of [configured, bare])
      for (const one of [before, after]) await given.assignment(group, one, 'package')
    for (const group of [configured, bare]) await setOptions(group, before)
    await setOptions(configured, after, { commands: ['Uninstall'] })

    const replaced = await replace(before, after)

    const result = { success: true, status: 'AlreadyAssigned', distributionOptionsCopied: false }
    expect(replaced.body).toMatchObject({ succeeded: 2, results: [result, result] })
    for (const group of [configured, bare]) expect(await packagesOf(group)).toEqual([after.id])
    expect(await optionsOf(configured, after)).toMatchObject({ ...defaultOptions, commands: ['Uninstall'] })
    expect(await optionsOf(bare, after)).toMatchObject(defaultOptions)
  })

  test('a replacement copies distribution options that are changed concurrently in their final state', async () => {
    const [before, after] = await twoPackages()
    const group = await given.group()
    await given.assignment(group, before, 'package')
    await setOptions(group, before)

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
    expect(await optionsOf(group, after)).toMatchObject({ ...fullOptions, commands: ['Uninstall'] })
  })
})

describe('groups that keep the old package', () => {
  test('a group that gets the new package through a software class keeps the old one, and the others are changed', async () => {
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

  test.each(['Reinstall', 'EOL', 'Restore'] as const)(
    'a %s group keeps the old package, and the others are changed',
    async (kind) => {
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
    },
  )
})

describe('refused replacements', () => {
  test('a replacement with an unknown package is answered with 404 and changes nothing', async () => {
    const [before] = await twoPackages()
    await given.assignment(await given.group(), before, 'package')
    const tables = await fingerprints(db)

    const answers = [await replace(before, unknown), await replace(unknown, before)]

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, problem: 'PackageNotFound', raw: { packageId: unknown.id } })
    expect(await fingerprints(db)).toEqual(tables)
  })

  test.each(['OperatingSystem', 'AgentTemplate', 'LanguagePack', 'PxeBootImage'])(
    'a replacement with a package of the kind %s is refused with 409 and changes nothing',
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

  test('a replacement of a package with itself is refused with 400 and changes nothing', async () => {
    const [before] = await twoPackages()
    await given.assignment(await given.group(), before, 'package')
    const tables = await fingerprints(db)

    const answers = [await replace(before, before), await replace(before, { id: before.id.toUpperCase() })]

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'newPackageId' }] } })
    expect(await fingerprints(db)).toEqual(tables)
  })
})
