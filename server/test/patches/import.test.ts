import { randomUUID } from 'node:crypto'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { getPatchCatalogImport } from '../../src/features/patches/api/get-patch-catalog-import.ts'
import { importPatchCatalog } from '../../src/features/patches/api/import-patch-catalog.ts'
import { listPatchProducts } from '../../src/features/patches/api/list-patch-products.ts'
import { searchPatches } from '../../src/features/patches/api/search-patches.ts'
import { fingerprints } from '../world/tables.ts'
import { buildAdvisory } from './csaf.ts'
import { openImportWorld } from './import-world.ts'

const { as, db, given, store, folder, importPatches, findPatch } = await openImportWorld()

/** Fingerprints of the tables about patches, without those about the imports themselves. */
async function patchFingerprints() {
  const all = await fingerprints(db)
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name]) => name.startsWith('patch') && !['patch_imports', 'patch_catalog'].includes(name),
    ),
  )
}

test('an imported advisory becomes a patch with all its details', async () => {
  const path = await folder('advisories/one', {
    'a.json': buildAdvisory({
      id: 'EX-1',
      severity: 'Critical',
      cve: 'CVE-2026-1001',
      score: 9.8,
      products: ['One 1', 'One 2'],
    }),
  })

  const { status, message, progress, ...counts } = await importPatches(path)

  expect({ status, progress }).toEqual({ status: 'Success', progress: 100 })
  expect(message).toBe('Read 1 documents: 1 imported, 0 unchanged, 0 refused.')
  expect(counts).toMatchObject({ documents: 1, imported: 1, unchanged: 0, refused: 0, faults: [] })
  expect(await findPatch('EX-1')).toMatchObject({
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

test('the components of an advisory count as link items of the product that contains them', async () => {
  const advisory = buildAdvisory({ id: 'EX-2' })
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

  await importPatches(path)

  expect((await findPatch('EX-2'))?.products).toEqual({ 'Example OS 12': 3 })
})

test('fixes with the same knowledge base number are one patch, merged from all advisories', async () => {
  const url = 'https://support.microsoft.com/help/5034999'
  const path = await folder('advisories/number', {
    'a.json': buildAdvisory({ id: 'N-1', severity: 'Low', score: 4, cve: 'CVE-2026-2001', url, products: ['W 10'] }),
    'b.json': buildAdvisory({
      id: 'N-2',
      severity: 'Critical',
      score: 9,
      cve: 'CVE-2026-2002',
      url,
      products: ['W 11'],
    }),
    'c.json': buildAdvisory({
      id: 'N-3',
      severity: 'Moderate',
      score: 5,
      cve: 'CVE-2026-2003',
      details: 'Install KB5034999',
    }),
  })

  await importPatches(path)

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

test('a second import of the same documents writes no patches', async () => {
  const path = await folder('advisories/again', {
    'a.json': buildAdvisory({ id: 'R-1' }),
    'b/c.json': buildAdvisory({ id: 'R-2' }),
  })
  await importPatches(path)
  const before = await patchFingerprints()

  const again = await importPatches(path)

  expect(again).toMatchObject({ status: 'Success', documents: 2, imported: 0, unchanged: 2 })
  expect(await patchFingerprints()).toEqual(before)
})

test('a newer revision of an advisory replaces its patches, and an older one changes nothing', async () => {
  const name = 'a.json'
  await importPatches(
    await folder('revisions/1', { [name]: buildAdvisory({ id: 'V-1', revised: '2026-03-02', score: 9 }) }),
  )
  const newer = buildAdvisory({ id: 'V-1', revised: '2026-03-03', version: '2', score: 5, cve: 'CVE-2026-3002' })
  await importPatches(await folder('revisions/2', { [name]: newer }))
  const older = buildAdvisory({ id: 'V-1', revised: '2026-03-01', score: 10 })

  const last = await importPatches(await folder('revisions/3', { [name]: older }))

  expect(last).toMatchObject({ status: 'Success', imported: 0, unchanged: 1 })
  expect(await findPatch('V-1')).toMatchObject({ cvssScore: 5, cves: ['CVE-2026-3002'], updateDate: '2026-03-03' })
})

test('a product that a newer revision omits stays linked to the patch only if the patch is approved for it', async () => {
  await importPatches(
    await folder('drops/1', { 'a.json': buildAdvisory({ id: 'D-1', products: ['D 1', 'D 2', 'D 3'] }) }),
  )
  const { patchId = 0 } = (await findPatch('D-1')) ?? {}
  const { body: products } = await as('pm.read').call(listPatchProducts, { params: { patchId } })
  const used = products.items.find(({ productName }) => productName === 'D 2')
  await as('pm.approve').call(approvePatch, { params: { patchId }, query: { productId: used?.productId ?? 0 } })

  await importPatches(
    await folder('drops/2', { 'a.json': buildAdvisory({ id: 'D-1', revised: '2026-03-20', products: ['D 1'] }) }),
  )

  expect((await findPatch('D-1'))?.products).toEqual({ 'D 1': 1, 'D 2': 1 })
})

test('an import reports invalid documents by file and reason, and imports all others', async () => {
  const good = buildAdvisory({ id: 'G-1' })
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
    '7-deep.json': `{"product_tree":${'{"branches":['.repeat(300_000)}${']}'.repeat(300_000)}}`,
    '9-good.json': buildAdvisory({ id: 'G-2' }),
    'ignored.txt': 'not read',
  })
  await symlink('1-good.json', join(store, path, '8-link.json'))

  const { status, documents, imported, refused, faults } = await importPatches(path)

  expect({ status, documents, imported, refused }).toEqual({
    status: 'Success',
    documents: 10,
    imported: 2,
    refused: 8,
  })
  expect(faults.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
    expect.stringMatching(/^8-link.json: is a link$/),
    expect.stringMatching(/^2-text.json: is not valid JSON/),
    '3-untitled.json: document.title is required',
    '4-newer.json: document.csaf_version must be one of 2.0',
    '5-draft.json: document.tracking.status is draft',
    '6-latin.json: is not valid UTF-8',
    '7-array.json: the document must be object',
    '7-deep.json: is nested deeper than 100 levels',
  ])
  expect([await findPatch('G-1'), await findPatch('G-2')]).not.toContain(undefined)
})

test('an import without any valid document fails', async () => {
  const path = await folder('advisories/bad', { 'a.json': {} })

  expect(await importPatches(path)).toMatchObject({ status: 'Failed', documents: 1, refused: 1 })
})

test('a path that does not exist is refused at once, even as a dry run; a file is a path', async () => {
  const path = await folder('advisories/present', { 'a.json': buildAdvisory({ id: 'P-1' }) })
  const call = (folderPath: string) =>
    as('pm.write').call(importPatchCatalog, { body: { folderPath }, query: { dryRun: true } })
  const reason = 'does not exist in the package store'

  for (const missing of ['advisories/nowhere', `${path}/b.json`, `${path}/a.json/b.json`])
    expect(await call(missing), missing).toMatchObject({
      status: 400,
      raw: { errors: [{ in: 'body', name: 'folderPath', reason }] },
    })
  expect(await call(`${path}/a.json`)).toMatchObject({ status: 202 })
  expect(await call(path)).toMatchObject({ status: 202 })
})

test('a patch that a scan has reported first gets its details from the catalog', async () => {
  const computer = await given.computer()
  await given.patchScan(computer, [{ key: 'S-1', product: 'Scanned OS', status: 'Missing', severity: 'Low' }])

  await importPatches(
    await folder('scanned', { 'a.json': buildAdvisory({ id: 'S-1', severity: 'Critical', products: ['scanned os'] }) }),
  )

  expect(await findPatch('S-1')).toMatchObject({ vendorSeverity: 'Critical', products: { 'Scanned OS': 1 } })
})

test('an import refuses paths outside the package store, and an unknown import answers 404', async () => {
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
