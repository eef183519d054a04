import { randomUUID } from 'node:crypto'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { getPatchCatalogImport } from '../../src/features/patches/api/get-patch-catalog-import.ts'
import { importPatchCatalog } from '../../src/features/patches/api/import-patch-catalog.ts'
import { searchPatches } from '../../src/features/patches/api/search-patches.ts'
import { getSystem } from '../../src/features/service/api/get-system.ts'
import { fingerprints } from '../world/tables.ts'
import { csafOf } from './csaf.ts'
import { openImportWorld } from './import-world.ts'

const { as, db, given, store, folder, importedPatches, patchOf } = await openImportWorld()

const catalogOf = (changes: object, patches: object[]) => ({
  format: 'muster-patch-catalog/1',
  name: 'Ours',
  version: '2026.03',
  releasedUtc: '2026-03-12T00:00:00Z',
  patches,
  ...changes,
})

/** What is known about patches, without the account of the imports themselves. */
async function patchTables() {
  const all = await fingerprints(db)
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name]) => name.startsWith('patch') && !['patch_imports', 'patch_catalog'].includes(name),
    ),
  )
}

test('an advisory becomes a patch with all that it tells', async () => {
  const path = await folder('advisories/one', {
    'a.json': csafOf({
      id: 'EX-1',
      severity: 'Critical',
      cve: 'CVE-2026-1001',
      score: 9.8,
      products: ['One 1', 'One 2'],
    }),
  })

  const { status, message, progress, ...counts } = await importedPatches(path)

  expect({ status, progress }).toEqual({ status: 'Success', progress: 100 })
  expect(message).toBe('Read 1 documents: 1 imported, 0 unchanged, 0 refused.')
  expect(counts).toMatchObject({ documents: 1, imported: 1, unchanged: 0, refused: 0, faults: [] })
  expect(await patchOf('EX-1')).toMatchObject({
    patchName: 'Advisory EX-1',
    bulletinTitle: 'Advisory EX-1',
    qNumber: null,
    vendorInformationPage: 'https://vendor.example.org/EX-1',
    vendorSeverity: 'Critical',
    patchType: 'SecurityPatch',
    releaseDate: '2026-03-01',
    updateDate: '2026-03-11',
    bulletinReviseDate: '2026-03-11',
    cvssScore: 9.8,
    vrrScore: null,
    cves: ['CVE-2026-1001'],
    products: { 'One 1': 1, 'One 2': 1 },
  })
})

test('components count as link items of the product that they are a part of', async () => {
  const advisory = csafOf({ id: 'EX-2' })
  const component = (at: number) => ({
    category: 'default_component_of',
    full_product_name: { name: `part ${at} of Two`, product_id: `C${at}` },
    product_reference: `part${at}`,
    relates_to_product_reference: 'P0',
  })
  const parts = { relationships: [component(1), component(2), component(3)] }
  const groups = { product_groups: [{ group_id: 'G', product_ids: ['C2', 'C3'] }] }
  const [vulnerability] = advisory.vulnerabilities
  const fix = { category: 'vendor_fix', details: 'Update', product_ids: ['C1'], group_ids: ['G'] }
  const path = await folder('advisories/two', {
    'a.json': {
      ...advisory,
      product_tree: { ...advisory.product_tree, ...parts, ...groups },
      vulnerabilities: [{ ...vulnerability, remediations: [fix] }],
    },
  })

  await importedPatches(path)

  expect((await patchOf('EX-2'))?.products).toEqual({ 'Example OS 12': 3 })
})

test('fixes of one number are one patch, put together from all advisories in any order', async () => {
  const url = 'https://support.microsoft.com/help/5034999'
  const path = await folder('advisories/number', {
    'a.json': csafOf({ id: 'N-1', severity: 'Low', score: 4, cve: 'CVE-2026-2001', url, products: ['W 10'] }),
    'b.json': csafOf({ id: 'N-2', severity: 'Critical', score: 9, cve: 'CVE-2026-2002', url, products: ['W 11'] }),
    'c.json': csafOf({ id: 'N-3', severity: 'Moderate', score: 5, cve: 'CVE-2026-2003', details: 'Install KB5034999' }),
  })

  await importedPatches(path)

  const { body } = await as('pm.read').call(searchPatches, { body: { qNumber: 'KB5034999' } })
  expect(body.items).toMatchObject([
    {
      patchName: 'KB5034999',
      vendorSeverity: 'Critical',
      cvssScore: 9,
      cves: ['CVE-2026-2001', 'CVE-2026-2002', 'CVE-2026-2003'],
      productCount: 3,
    },
  ])
})

test('a second import of the same documents writes nothing', async () => {
  const path = await folder('advisories/again', { 'a.json': csafOf({ id: 'R-1' }), 'b/c.json': csafOf({ id: 'R-2' }) })
  await importedPatches(path)
  const before = await patchTables()

  const again = await importedPatches(path)

  expect(again).toMatchObject({ status: 'Success', documents: 2, imported: 0, unchanged: 2 })
  expect(await patchTables()).toEqual(before)
})

test('a newer revision replaces what its document told, an older one nothing', async () => {
  const name = 'a.json'
  await importedPatches(await folder('revisions/1', { [name]: csafOf({ id: 'V-1', revised: '2026-03-02', score: 9 }) }))
  const newer = csafOf({ id: 'V-1', revised: '2026-03-03', version: '2', score: 5, cve: 'CVE-2026-3002' })
  await importedPatches(await folder('revisions/2', { [name]: newer }))
  const older = csafOf({ id: 'V-1', revised: '2026-03-01', score: 10 })

  const last = await importedPatches(await folder('revisions/3', { [name]: older }))

  expect(last).toMatchObject({ status: 'Success', imported: 0, unchanged: 1 })
  expect(await patchOf('V-1')).toMatchObject({ cvssScore: 5, cves: ['CVE-2026-3002'], updateDate: '2026-03-03' })
})

test('a product that a revision drops stays only where somebody has used it', async () => {
  await importedPatches(await folder('drops/1', { 'a.json': csafOf({ id: 'D-1', products: ['D 1', 'D 2', 'D 3'] }) }))
  const { patchId = 0 } = (await patchOf('D-1')) ?? {}
  const [used] = await db.selectFrom('patch_products').select('id').where('name', '=', 'D 2').execute()
  await as('pm.approve').call(approvePatch, { params: { patchId }, query: { productId: used?.id ?? 0 } })

  await importedPatches(
    await folder('drops/2', { 'a.json': csafOf({ id: 'D-1', revised: '2026-03-20', products: ['D 1'] }) }),
  )

  expect((await patchOf('D-1'))?.products).toEqual({ 'D 1': 1, 'D 2': 1 })
})

test('documents that are not in order are reported by file and reason, and skip nothing else', async () => {
  const good = csafOf({ id: 'G-1' })
  const { title: _title, ...untitled } = good.document
  const path = await folder('advisories/mixed', {
    '1-good.json': good,
    '2-text.json': 'not json',
    '3-untitled.json': { ...good, document: untitled },
    '4-newer.json': { ...good, document: { ...good.document, csaf_version: '2.1' } },
    '5-draft.json': {
      ...good,
      document: { ...good.document, tracking: { ...good.document.tracking, status: 'draft' } },
    },
    '6-latin.json': Buffer.from([0x22, 0xe4, 0x22]),
    '7-array.json': '[]',
    '9-good.json': csafOf({ id: 'G-2' }),
    'ignored.txt': 'not read',
  })
  await symlink('1-good.json', join(store, path, '8-link.json'))

  const { status, documents, imported, refused, faults } = await importedPatches(path)

  expect({ status, documents, imported, refused }).toEqual({ status: 'Success', documents: 9, imported: 2, refused: 7 })
  expect(faults.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
    expect.stringMatching(/^8-link.json: is a link$/),
    expect.stringMatching(/^2-text.json: is not valid JSON/),
    '3-untitled.json: document.title is required',
    '4-newer.json: document.csaf_version must be one of 2.0',
    '5-draft.json: document.tracking.status is draft',
    '6-latin.json: is not valid UTF-8',
    '7-array.json: the document must be object',
  ])
  expect([await patchOf('G-1'), await patchOf('G-2')]).not.toContain(undefined)
})

test('an import in which nothing is in order has failed', async () => {
  const path = await folder('advisories/bad', { 'a.json': {} })

  expect(await importedPatches(path)).toMatchObject({ status: 'Failed', documents: 1, refused: 1 })
  expect(await importedPatches('advisories/nowhere')).toMatchObject({
    status: 'Failed',
    message: "'advisories/nowhere' does not exist in the package store.",
  })
})

test('our own catalog tells what advisories do not, and goes before them', async () => {
  const advisory = csafOf({ id: 'O-1', severity: 'Low', products: ['Office 1'] })
  await importedPatches(await folder('own/csaf', { 'a.json': advisory }))
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
    'ours.json': catalogOf({}, [own, { ...pack, products: [{ name: 'Office 1' }] }]),
  })

  const { status } = await importedPatches(`${path}/ours.json`, 'Muster')

  expect(status).toBe('Success')
  expect(await patchOf('O-1')).toMatchObject({
    patchName: 'Advisory O-1',
    vendorSeverity: 'Critical',
    cvssScore: 7.5,
    vrrScore: 8.5,
    sizeBytes: 5_000_000_000,
    uninstallable: true,
    products: { 'Office 1': 4, 'Office 2': 1 },
  })
  expect(await patchOf('SP-1')).toMatchObject({
    isServicePack: true,
    servicePack: 'SP1',
    patchType: 'SoftwareDistribution',
  })
})

test('a later catalog of the same name takes the place of the one before', async () => {
  const one = { key: 'L-1', bulletinId: 'L-1', vrrScore: 5, products: [{ name: 'L' }] }
  await importedPatches(await folder('later/1', { 'a.json': catalogOf({ name: 'Later' }, [one]) }))
  const { vrrScore: _score, ...rest } = one
  const later = catalogOf({ name: 'later', version: '2026.04', releasedUtc: '2026-04-01T00:00:00Z' }, [rest])

  await importedPatches(await folder('later/2', { 'a.json': later }))

  expect(await patchOf('L-1')).toMatchObject({ vrrScore: null })
  const { body } = await as('computer.read').call(getSystem)
  const { rows } = await sql<{ count: number }>`select count(*) as count from patches`.execute(db)
  expect(body.patchCatalog).toEqual({
    version: '2026.04',
    releasedUtc: '2026-04-01T00:00:00.000Z',
    importedUtc: expect.any(String),
    patchCount: rows[0]?.count,
  })
})

test('a catalog that is not in order says where', async () => {
  const patch = { key: 'X', products: [{ name: 'P' }] }
  const path = await folder('own/bad', {
    '1.json': catalogOf({}, [{ ...patch, colour: 'red' }]),
    '2.json': catalogOf({}, [patch, { ...patch, key: 'x' }]),
    '3.json': catalogOf({}, [{ ...patch, cvssScore: 11 }]),
  })

  const { faults } = await importedPatches(path)

  expect(faults.map(({ reason }) => reason)).toEqual([
    'patches.0.colour is an unknown property',
    "'x' is named twice",
    'patches.0.cvssScore must be <= 10',
  ])
})

test('a patch that a scan has named first gets its details from the catalog', async () => {
  const computer = await given.computer()
  await given.patchScan(computer, [{ key: 'S-1', product: 'Scanned OS', status: 'Missing', severity: 'Low' }])

  await importedPatches(
    await folder('scanned', { 'a.json': csafOf({ id: 'S-1', severity: 'Critical', products: ['scanned os'] }) }),
  )

  expect(await patchOf('S-1')).toMatchObject({ vendorSeverity: 'Critical', products: { 'Scanned OS': 1 } })
})

test('paths that leave the store are refused, and unknown imports not found', async () => {
  const before = await fingerprints(db)

  for (const folderPath of ['/etc', '..', 'a/../b', '\\\\server\\share', 'C:\\catalogs', '']) {
    const refused = await as('pm.write').call(importPatchCatalog, { body: { folderPath } })
    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'folderPath' }] } })
  }
  expect(await as('pm.read').call(getPatchCatalogImport, { params: { trackingId: randomUUID() } })).toMatchObject({
    status: 404,
    problem: 'ImportNotFound',
  })
  expect(await fingerprints(db)).toEqual(before)
})
