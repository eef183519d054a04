import { describe, expect, test } from 'vitest'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { generatePackageHash } from '../../src/features/packages/api/generate-package-hash.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { getPackageImport } from '../../src/features/packages/api/get-package-import.ts'
import { getPackageTags } from '../../src/features/packages/api/get-package-tags.ts'
import { listPackages } from '../../src/features/packages/api/list-packages.ts'
import { searchPackages } from '../../src/features/packages/api/search-packages.ts'
import { setPackageTags } from '../../src/features/packages/api/set-package-tags.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { givenPackage } from './given-package.ts'

const { as, db, given } = await openWorld()
const reader = as('package.read')
const writer = as('package.write')
// Makes the principals of both, so that only what a test does changes tables.
for (const caller of [reader, writer]) await caller.send({ method: 'GET', url: '/' })

const nobody = '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'

async function givenTag(designation: string) {
  return db.insertInto('tags').values({ designation }).returning(['id', 'designation']).executeTakeFirstOrThrow()
}

test('packages are listed page by page in a stable order', async () => {
  for (let number = 0; number < 5; number++) await givenPackage(db)
  const all = (await reader.call(listPackages)).body

  const page = (await reader.call(listPackages, { query: { skip: 1, top: 2 } })).body

  expect(page.items).toEqual(all.items.slice(1, 3))
  expect(page).toMatchObject({ skip: 1, top: 2, totalCount: all.totalCount, hasMore: true })
})

describe('a search', () => {
  const find = async (body: object) => (await reader.call(searchPackages, { body })).body.items.map(({ name }) => name)

  test('finds by a part of either name, in any case, and takes wildcards literally', async () => {
    await givenPackage(db, { name: 'Mail 100%', package_name: 'thunderbird' })
    await givenPackage(db, { name: 'Mail 1000', package_name: 'outlook' })

    expect(await find({ name: 'mail 10' })).toEqual(['Mail 100%', 'Mail 1000'])
    expect(await find({ name: 'THUNDER' })).toEqual(['Mail 100%'])
    expect(await find({ name: '100%' })).toEqual(['Mail 100%'])
    expect(await find({ name: 'Mail_100' })).toEqual([])
  })

  test('finds by version, kind and tag, all of which must hold', async () => {
    const tag = await givenTag('Finance')
    const other = await givenTag('Fine arts')
    const { id } = await givenPackage(db, { name: 'Ledger', version: '3.14', kind: 'PatchScan' })
    await writer.call(setPackageTags, { params: { id }, body: { tagIds: [tag.id, other.id] } })

    expect(await find({ version: '.14', tag: 'FIN', kind: 'PatchScan' })).toEqual(['Ledger'])
    expect(await find({ tagId: tag.id })).toEqual(['Ledger'])
    expect(await find({ tagId: tag.id, tag: 'Finance' })).toEqual(['Ledger'])
    expect(await find({ tagId: tag.id, tag: 'arts' })).toEqual([])
    expect(await find({ tag: 'finance', kind: 'Software' })).toEqual([])
    expect(await find({ name: 'Ledger', version: null, tag: null, tagId: null, kind: null })).toEqual(['Ledger'])
  })

  test('without criteria finds all', async () => {
    const found = await reader.call(searchPackages)

    expect(found.body.totalCount).toBe((await reader.call(listPackages)).body.totalCount)
  })

  test.each([{ name: 'x'.repeat(256) }, { kind: 'Game' }, { tagId: 'one' }])('refuses %j', async (body) => {
    expect(await reader.call(searchPackages, { body: body as object })).toMatchObject({ status: 400 })
  })
})

describe('a package that does not exist is answered with 404, and nothing changes:', () => {
  const calls = {
    getPackage: () => reader.call(getPackage, { params: { id: nobody } }),
    getPackageStatus: () => reader.call(getPackageStatus, { params: { id: nobody } }),
    listPackageGroups: () => reader.call(listPackageGroups, { params: { id: nobody } }),
    getPackageTags: () => reader.call(getPackageTags, { params: { id: nobody } }),
    setPackageTags: () => writer.call(setPackageTags, { params: { id: nobody }, body: { tagIds: [1] } }),
    setReadyToInstall: () => writer.call(setReadyToInstall, { params: { id: nobody }, body: { operational: true } }),
    generatePackageHash: () => writer.call(generatePackageHash, { params: { id: nobody } }),
  }

  test.each(Object.entries(calls))('%s', async (_name, call) => {
    const before = await fingerprints(db)

    const refused = await call()

    expect(refused).toMatchObject({ status: 404, problem: 'PackageNotFound', raw: { packageId: nobody } })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('an id that is no uuid is answered with 400', async () => {
  const refused = await reader.send({ method: 'GET', url: '/api/packages/17' })

  expect(refused).toMatchObject({ status: 400 })
})

test('an import that nobody asked for is answered with 404', async () => {
  const refused = await reader.call(getPackageImport, { params: { trackingId: nobody } })

  expect(refused).toMatchObject({ status: 404, problem: 'ImportNotFound', raw: { trackingId: nobody } })
})

test('a job of another queue is no import', async () => {
  const { id } = await db
    .insertInto('background_jobs')
    .values({ queue: 'depot-sync', subject: 'depot01', input: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()

  expect(await reader.call(getPackageImport, { params: { trackingId: id } })).toMatchObject({ status: 404 })
})

describe('the tags of a package', () => {
  test('are replaced as a whole', async () => {
    const [one, two] = [await givenTag('one'), await givenTag('two')]
    const params = { id: (await givenPackage(db)).id }
    await writer.call(setPackageTags, { params, body: { tagIds: [1, one.id] } })

    const replaced = await writer.call(setPackageTags, { params, body: { tagIds: [two.id, one.id] } })

    expect(replaced.body.items.map(({ id }) => id)).toEqual([one.id, two.id])
    expect((await reader.call(getPackageTags, { params })).body).toEqual(replaced.body)
    expect((await writer.call(setPackageTags, { params, body: { tagIds: [] } })).body.totalCount).toBe(0)
  })

  test('cannot be unknown ones', async () => {
    const params = { id: (await givenPackage(db)).id }
    await writer.call(setPackageTags, { params, body: { tagIds: [1] } })
    const before = await fingerprints(db)

    const refused = await writer.call(setPackageTags, { params, body: { tagIds: [1, 4711] } })

    expect(refused).toMatchObject({ status: 400, raw: { detail: "body 'tagIds' names the unknown tag 4711" } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('are not replaced by somebody who has seen others', async () => {
    const params = { id: (await givenPackage(db)).id }
    const { etag = '' } = (await reader.call(getPackageTags, { params })).headers
    const headers = { 'if-match': etag }

    const first = await writer.call(setPackageTags, { params, body: { tagIds: [1] }, headers })
    const second = await writer.call(setPackageTags, { params, body: { tagIds: [] }, headers })

    expect(first.status).toBe(200)
    expect(second).toMatchObject({ status: 412, problem: 'PreconditionFailed' })
    expect((await reader.call(getPackageTags, { params })).headers.etag).toBe(first.headers.etag)
  })
})

test('the Ready-to-Install flag is set and taken back', async () => {
  const params = { id: (await givenPackage(db)).id }

  const set = await writer.call(setReadyToInstall, { params, body: { operational: true } })
  const taken = await writer.call(setReadyToInstall, { params, body: { operational: false } })

  expect(set.body.operational).toBe(true)
  expect((await reader.call(getPackage, { params })).body).toEqual(taken.body)
  expect(taken.body.operational).toBe(false)
})

test('the groups of a package are those that have it directly, in whatever role', async () => {
  const parent = await given.group()
  await given.group({ parent })
  const { id } = await givenPackage(db, { kind: 'OperatingSystem' })
  const sku = await db
    .insertInto('os_image_skus')
    .values({ package_id: id, sku_index: 1, edition: 'Home' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('group_os_image_skus').values({ group_id: parent.id, sku_id: sku.id }).execute()
  const other = await given.group({ tree: 'AssignmentGroups' })
  await db.insertInto('group_packages').values({ group_id: other.id, package_id: id }).execute()

  const { items } = (await reader.call(listPackageGroups, { params: { id } })).body

  expect(items.map((group) => group.id).sort()).toEqual([parent.id, other.id].sort())
  expect(items.find((group) => group.id === other.id)).toMatchObject({ assignedToTree: 'AssignmentGroups' })
})
