import { expect, test } from 'vitest'
import { listPatchProducts } from '../../src/features/patches/api/list-patch-products.ts'
import { listPatches } from '../../src/features/patches/api/list-patches.ts'
import { getSystem } from '../../src/features/service/api/get-system.ts'
import { buildAdvisory } from './csaf.ts'
import { openImportWorld } from './import-world.ts'

const { as, folder, importPatches, findPatch } = await openImportWorld()

/** A catalog in the Muster format. */
const buildCatalog = (changes: object, patches: object[]) => ({
  format: 'muster-patch-catalog/1',
  name: 'Ours',
  version: '2026.03',
  releasedUtc: '2026-03-12T00:00:00Z',
  patches,
  ...changes,
})

test('a catalog in the Muster format adds details to advisories and takes precedence over them', async () => {
  const advisory = buildAdvisory({ id: 'O-1', severity: 'Low', products: ['Office 1'] })
  await importPatches(await folder('own/csaf', { 'a.json': advisory }))
  const own = {
    key: 'o-1',
    vendorSeverity: 'Critical',
    vrrScore: 8.5,
    sizeBytes: 5_000_000_000,
    uninstallable: true,
    products: [
      { name: 'Office 1', linkItems: 4 },
      { name: 'Office 2', vendor: 'Example' },
    ],
  }
  const pack = { key: 'SP-1', name: 'Pack 1', bulletinId: 'SP-1', isServicePack: true, servicePack: 'SP1' }
  const path = await folder('own/catalog', {
    'ours.json': buildCatalog({}, [own, { ...pack, products: [{ name: 'Office 1' }] }]),
  })

  const { status } = await importPatches(`${path}/ours.json`, 'Muster')

  expect(status).toBe('Success')
  expect(await findPatch('O-1')).toMatchObject({
    patchName: 'Advisory O-1',
    vendorSeverity: 'Critical',
    cvssScore: 7.5,
    vrrScore: 8.5,
    sizeBytes: 5_000_000_000,
    uninstallable: true,
    products: { 'Office 1': 4, 'Office 2': 1 },
  })
  expect(await findPatch('SP-1')).toMatchObject({
    isServicePack: true,
    servicePack: 'SP1',
    patchType: 'SoftwareDistribution',
  })
})

test('a later catalog with the same name replaces the earlier one', async () => {
  const one = { key: 'L-1', bulletinId: 'L-1', vrrScore: 5, products: [{ name: 'L' }] }
  await importPatches(await folder('later/1', { 'a.json': buildCatalog({ name: 'Later' }, [one]) }))
  const { vrrScore: _score, ...rest } = one
  const later = buildCatalog({ name: 'later', version: '2026.04', releasedUtc: '2026-04-01T00:00:00Z' }, [rest])

  await importPatches(await folder('later/2', { 'a.json': later }))

  expect(await findPatch('L-1')).toMatchObject({ vrrScore: null })
  const { body } = await as('computer.read').call(getSystem)
  const { body: patches } = await as('pm.read').call(listPatches)
  expect(body.patchCatalog).toEqual({
    version: '2026.04',
    releasedUtc: '2026-04-01T00:00:00.000Z',
    importedUtc: expect.any(String),
    patchCount: patches.totalCount,
  })
})

test('the import names the place where a catalog is invalid', async () => {
  const patch = { key: 'X', products: [{ name: 'P' }] }
  const path = await folder('own/bad', {
    '1.json': buildCatalog({}, [{ ...patch, colour: 'red' }]),
    '2.json': buildCatalog({}, [patch, { ...patch, key: 'x' }]),
    '3.json': buildCatalog({}, [{ ...patch, cvssScore: 11 }]),
  })

  const { faults } = await importPatches(path)

  expect(faults.map(({ reason }) => reason)).toEqual([
    'patches.0.colour is an unknown property',
    "'x' is named twice",
    'patches.0.cvssScore must be <= 10',
  ])
})

test('a product that a document named without its vendor gets the vendor from a later one', async () => {
  const patch = { key: 'V-1', bulletinId: 'V-1' }
  const catalog = (name: string, product: object) => buildCatalog({ name }, [{ ...patch, products: [product] }])
  await importPatches(await folder('vendor/1', { 'a.json': catalog('Without', { name: 'Editor 9' }) }))
  await importPatches(await folder('vendor/2', { 'a.json': catalog('With', { name: 'editor 9', vendor: 'Example' }) }))

  const { patchId = 0 } = (await findPatch('V-1')) ?? {}
  const { body } = await as('pm.read').call(listPatchProducts, { params: { patchId } })

  expect(body.items).toMatchObject([{ productName: 'Editor 9', vendor: 'Example' }])
})
