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
import { importPatchCatalog } from '../../src/features/patches/api/import-patch-catalog.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { emptyFolder } from './scenarios.ts'

const world = await openWorld()
const { as, db, given } = world
const reader = as('package.read')
const writer = as('package.write', 'package.read')
// Creates both principals now: later, only the test itself changes tables.
for (const caller of [reader, writer]) await caller.send({ method: 'GET', url: '/' })

const unknownId = '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'

async function givenTag(designation: string) {
  return (await writer.call(createTag, { body: { designation } })).body
}

test('packages are listed page by page in a stable order', async () => {
  for (let number = 0; number < 5; number++) await given.package()
  const all = (await reader.call(listPackages)).body

  const page = (await reader.call(listPackages, { query: { skip: 1, top: 2 } })).body

  expect(page.items).toEqual(all.items.slice(1, 3))
  expect(page).toMatchObject({ skip: 1, top: 2, totalCount: all.totalCount, hasMore: true })
})

describe('searchPackages', () => {
  const find = async (body: object) => (await reader.call(searchPackages, { body })).body.items.map(({ name }) => name)

  test('a search finds packages by a part of either name, ignores case and takes wildcards literally', async () => {
    await given.package({ name: 'Mail 100%', package_name: 'thunderbird' })
    await given.package({ name: 'Mail 1000', package_name: 'outlook' })

    expect(await find({ name: 'mail 10' })).toEqual(['Mail 100%', 'Mail 1000'])
    expect(await find({ name: 'THUNDER' })).toEqual(['Mail 100%'])
    expect(await find({ name: '100%' })).toEqual(['Mail 100%'])
    expect(await find({ name: 'Mail_100' })).toEqual([])
  })

  test('a search by version, kind and tag finds packages that match all of them', async () => {
    const tag = await givenTag('Finance')
    const other = await givenTag('Fine arts')
    const { id } = await given.package({ name: 'Ledger', version: '3.14', kind: 'PatchScan' })
    await writer.call(setPackageTags, { params: { id }, body: { tagIds: [tag.id, other.id] } })

    expect(await find({ version: '.14', tag: 'FIN', kind: 'PatchScan' })).toEqual(['Ledger'])
    expect(await find({ tagId: tag.id })).toEqual(['Ledger'])
    expect(await find({ tagId: tag.id, tag: 'Finance' })).toEqual(['Ledger'])
    expect(await find({ tagId: tag.id, tag: 'arts' })).toEqual([])
    expect(await find({ tag: 'finance', kind: 'Software' })).toEqual([])
    expect(await find({ name: 'Ledger', version: null, tag: null, tagId: null, kind: null })).toEqual(['Ledger'])
  })

  test('a search without criteria finds all packages', async () => {
    const found = await reader.call(searchPackages)

    expect(found.body.totalCount).toBe((await reader.call(listPackages)).body.totalCount)
  })

  test.each([{ name: 'x'.repeat(256) }, { kind: 'Game' }, { tagId: 'one' }])(
    'a search with the criteria %j is refused',
    async (body) => {
      expect(await reader.call(searchPackages, { body: body as object })).toMatchObject({ status: 400 })
    },
  )
})

describe('unknown packages', () => {
  const calls = {
    getPackage: () => reader.call(getPackage, { params: { id: unknownId } }),
    getPackageStatus: () => reader.call(getPackageStatus, { params: { id: unknownId } }),
    listPackageGroups: () => reader.call(listPackageGroups, { params: { id: unknownId } }),
    getPackageTags: () => reader.call(getPackageTags, { params: { id: unknownId } }),
    setPackageTags: () => writer.call(setPackageTags, { params: { id: unknownId }, body: { tagIds: [1] } }),
    setReadyToInstall: () => writer.call(setReadyToInstall, { params: { id: unknownId }, body: { operational: true } }),
    generatePackageHash: () => writer.call(generatePackageHash, { params: { id: unknownId } }),
  }

  test.each(Object.entries(calls))('%s answers 404 for an unknown package and changes nothing', async (_name, call) => {
    const before = await fingerprints(db)

    const refused = await call()

    expect(refused).toMatchObject({ status: 404, problem: 'PackageNotFound', raw: { packageId: unknownId } })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('a package id that is not a UUID is refused with 400', async () => {
  const refused = await reader.send({ method: 'GET', url: '/api/packages/17' })

  expect(refused).toMatchObject({ status: 400 })
})

test('reading an unknown import is answered with 404', async () => {
  const refused = await reader.call(getPackageImport, { params: { trackingId: unknownId } })

  expect(refused).toMatchObject({ status: 404, problem: 'ImportNotFound', raw: { trackingId: unknownId } })
})

test('a job of another queue cannot be read as an import', async () => {
  const body = { folderPath: await emptyFolder(world) }
  const { trackingId } = (await as('pm.write').call(importPatchCatalog, { body })).body

  expect(await reader.call(getPackageImport, { params: { trackingId } })).toMatchObject({ status: 404 })
})

describe('tags of packages', () => {
  test('setting the tags of a package replaces all of them', async () => {
    const [one, two] = [await givenTag('one'), await givenTag('two')]
    const params = { id: (await given.package()).id }
    await writer.call(setPackageTags, { params, body: { tagIds: [1, one.id] } })

    const replaced = await writer.call(setPackageTags, { params, body: { tagIds: [two.id, one.id] } })

    expect(replaced.body.items.map(({ id }) => id)).toEqual([one.id, two.id])
    expect((await reader.call(getPackageTags, { params })).body).toEqual(replaced.body)
    expect((await writer.call(setPackageTags, { params, body: { tagIds: [] } })).body.totalCount).toBe(0)
  })

  test('a package cannot get an unknown tag', async () => {
    const params = { id: (await given.package()).id }
    await writer.call(setPackageTags, { params, body: { tagIds: [1] } })
    const before = await fingerprints(db)

    const refused = await writer.call(setPackageTags, { params, body: { tagIds: [1, 4711] } })

    expect(refused).toMatchObject({ status: 400, raw: { detail: "body 'tagIds' names the unknown tag 4711" } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('with If-Match the tags of a package are replaced only if they are unchanged', async () => {
    const params = { id: (await given.package()).id }
    const { etag = '' } = (await reader.call(getPackageTags, { params })).headers
    const headers = { 'if-match': etag }

    const first = await writer.call(setPackageTags, { params, body: { tagIds: [1] }, headers })
    const second = await writer.call(setPackageTags, { params, body: { tagIds: [] }, headers })

    expect(first.status).toBe(200)
    expect(second).toMatchObject({ status: 412, problem: 'PreconditionFailed' })
    expect((await reader.call(getPackageTags, { params })).headers.etag).toBe(first.headers.etag)
  })
})

test('the Ready-to-Install flag can be set and cleared', async () => {
  const params = { id: (await given.package()).id }

  const set = await writer.call(setReadyToInstall, { params, body: { operational: true } })
  const cleared = await writer.call(setReadyToInstall, { params, body: { operational: false } })

  expect(set.body.operational).toBe(true)
  expect((await reader.call(getPackage, { params })).body).toEqual(cleared.body)
  expect(cleared.body.operational).toBe(false)
})

test('the groups of a package are those that have it or one of its parts directly', async () => {
  const parent = await given.group()
  await given.group({ parent })
  const { id, skus } = await given.osImage({ editions: ['Home'] })
  for (const sku of skus) await given.assignment(parent, sku, 'osImageSku')
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(other, { id }, 'package')

  const { items } = (await reader.call(listPackageGroups, { params: { id } })).body

  expect(items.map((group) => group.id).sort()).toEqual([parent.id, other.id].sort())
  expect(items.find((group) => group.id === other.id)).toMatchObject({ assignedToTree: 'AssignmentGroups' })
})
