import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { revokePatchApproval } from '../../src/features/patch-management/api/approval/revoke-patch-approval.ts'
import { listPatchPmGroups } from '../../src/features/patch-management/api/pm-groups/list-patch-pm-groups.ts'
import { getPatch } from '../../src/features/patches/api/get-patch.ts'
import { listPatchProducts } from '../../src/features/patches/api/list-patch-products.ts'
import { listPatches } from '../../src/features/patches/api/list-patches.ts'
import { searchPatches } from '../../src/features/patches/api/search-patches.ts'
import { fingerprints } from '../world/tables.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given } = await openPatchWorld()

async function listApprovedProducts(patchId: number) {
  const { body } = await as('pm.read').call(listPatchProducts, { params: { patchId } })
  return body.items.filter(({ isApproved }) => isApproved).map(({ productId }) => productId)
}

test('approving a patch for one product returns the number of its link items for this product', async () => {
  const [one, other] = [await given.product(), await given.product()]
  const { id: patchId } = await given.patch({ products: [one, other], linkItems: 3 })

  const approved = await as('pm.approve').call(approvePatch, { params: { patchId }, query: { productId: one.id } })

  expect(approved.body).toEqual({ patchId, productId: one.id, patchCount: 1, linkItemsTotal: 3, reachedComputers: 0 })
  expect(await listApprovedProducts(patchId)).toEqual([one.id])
  const { body } = await as('pm.read').call(getPatch, { params: { patchId } })
  expect(body).toMatchObject({ productCount: 2, approvedProductCount: 1 })
})

test('approving a patch again changes nothing', async () => {
  const { id: patchId, productId } = await given.patch()
  const call = () => as('pm.approve').call(approvePatch, { params: { patchId }, query: { productId } })
  const first = await call()
  const { body: before } = await as('pm.read').call(listPatchProducts, { params: { patchId } })

  const second = await call()

  expect(second.body).toEqual(first.body)
  expect((await as('pm.read').call(listPatchProducts, { params: { patchId } })).body).toEqual(before)
})

test('approving a patch without a product lists its products and changes nothing', async () => {
  const product = await given.product()
  const { id: patchId } = await given.patch({ products: [product], linkItems: 2 })
  await as('pm.approve').call(approvePatch, { params: { patchId } })
  const before = await fingerprints(db)

  const refused = await as('pm.approve').call(approvePatch, { params: { patchId } })

  expect(refused).toMatchObject({
    status: 400,
    problem: 'ProductScopeRequired',
    raw: { products: [{ productId: product.id, productName: product.name, linkItems: 2 }] },
  })
  expect(await fingerprints(db)).toEqual(before)
})

test('approving an unknown patch without a product reports the unknown patch', async () => {
  const before = await fingerprints(db)

  const refused = await as('pm.approve').call(approvePatch, { params: { patchId: 2_000_000_000 } })

  expect(refused).toMatchObject({ status: 404, problem: 'PatchNotFound', raw: { patchId: 2_000_000_000 } })
  expect(await fingerprints(db)).toEqual(before)
})

test('approving and revoking refuse a product that the patch does not apply to', async () => {
  const { id: patchId } = await given.patch({ approved: true })
  const product = await given.product()
  const before = await fingerprints(db)
  const scope = { params: { patchId }, query: { productId: product.id } }

  const refused = [
    await as('pm.approve').call(approvePatch, scope),
    await as('pm.approve').call(revokePatchApproval, scope),
  ]

  for (const one of refused) expect(one).toMatchObject({ status: 404, problem: 'PatchProductNotFound' })
  expect(await fingerprints(db)).toEqual(before)
})

test('an approval is revoked for one product, or for all products with the sum of their link items', async () => {
  const [first, second, third] = [await given.product(), await given.product(), await given.product()]
  const { id: patchId } = await given.patch({ products: [first, second, third], linkItems: 2, approved: true })

  const one = await as('pm.approve').call(revokePatchApproval, { params: { patchId }, query: { productId: first.id } })
  const left = await listApprovedProducts(patchId)
  const all = await as('pm.approve').call(revokePatchApproval, { params: { patchId } })

  expect(one.body).toEqual({ patchId, productId: first.id, patchCount: 1, linkItemsTotal: 2, reachedComputers: 0 })
  expect(left).toEqual([second.id, third.id])
  expect(all.body).toEqual({ patchId, productId: null, patchCount: 1, linkItemsTotal: 6, reachedComputers: 0 })
  expect(await listApprovedProducts(patchId)).toEqual([])
})

test('reading or revoking an unknown patch answers 404', async () => {
  const params = { patchId: 2_000_000_000 }

  const answers = [
    await as('pm.read').call(getPatch, { params }),
    await as('pm.read').call(listPatchProducts, { params }),
    await as('pm.read').call(listPatchPmGroups, { params }),
    await as('pm.approve').call(revokePatchApproval, { params }),
  ]

  for (const answer of answers) expect(answer).toMatchObject({ status: 404, problem: 'PatchNotFound' })
})

test('a search finds patches by each criterion and by all criteria together', async () => {
  const product = await given.product({ name: 'Searchable Office 2031' })
  const { id } = await given.patch({
    key: 'KB777001',
    name: 'Cumulative 100% update',
    q_number: 'KB777001',
    bulletin_id: 'MS31-001',
    bulletin_title: 'Remote code execution',
    vendor_severity: 'Critical',
    patch_type: 'SecurityTool',
    release_date: '2031-02-03',
    update_date: '2031-02-04',
    cvss_score: 9.1,
    vrr_score: 8.2,
    cves: ['CVE-2031-0001'],
    service_pack: 'SP7',
    is_service_pack: true,
    products: [product],
    approved: true,
  })
  await given.patch({ key: 'KB777002', name: 'Cumulative 1000 update', patch_type: 'NonSecurityPatch' })
  const criteria = {
    patchName: '100% UP',
    qNumber: 'b777001',
    bulletinId: 'S31-00',
    bulletinTitle: 'CODE EXEC',
    vendorSeverity: 'crit',
    productName: 'office 2031',
    servicePack: 'sp7',
    patchType: 4,
    releasedAfter: '2031-02-03',
    updatedAfter: '2031-02-04',
    minCvssScore: 9.1,
    minVrrScore: 8.2,
    cve: 'cve-2031-0001',
    isServicePack: true,
    isApproved: true,
  }

  for (const [name, value] of [...Object.entries(criteria), ['patchType', 'securitytool']] as const) {
    const { body } = await as('pm.read').call(searchPatches, { body: { patchName: 'Cumulative', [name]: value } })
    expect({ name, found: body.items.map(({ patchId }) => patchId) }).toEqual({ name, found: [id] })
  }
  const { body } = await as('pm.read').call(searchPatches, { body: criteria })
  expect(body.items.map(({ patchId }) => patchId)).toEqual([id])
})

test('a search does not find a patch that narrowly misses a criterion', async () => {
  const { id } = await given.patch({ key: 'KB888', release_date: '2031-02-03', cvss_score: 9.1, approved: false })
  const narrowMisses = [
    { qNumber: 'KB8888' },
    { qNumber: 'KB8_8' },
    { releasedAfter: '2031-02-04' },
    { minCvssScore: 9.2 },
    { minVrrScore: 0 },
    { isApproved: true },
    { isServicePack: true },
  ]

  for (const body of narrowMisses) {
    const found = await as('pm.read').call(searchPatches, { body, query: { top: 1000 } })
    expect(found.body.items.map(({ patchId }) => patchId)).not.toContain(id)
  }
})

test('the list of patches is filtered by name, number, bulletin and type', async () => {
  const { id, key } = await given.patch({ bulletin_id: 'LIST-1', patch_type: 'CustomAction' })

  const lists = [
    { patchName: key.slice(2) },
    { qNumber: key.toLowerCase() },
    { bulletinId: 'list-1' },
    { patchType: '16' },
    { patchType: 'customaction' },
  ]

  for (const query of lists)
    expect((await as('pm.read').call(listPatches, { query })).body.items.map(({ patchId }) => patchId)).toEqual([id])
})

test('the list of patches compares numbers and bulletins as a whole', async () => {
  const { key } = await given.patch({ bulletin_id: 'WHOLE-1' })

  for (const query of [{ qNumber: key.slice(2) }, { bulletinId: 'WHOLE' }])
    expect((await as('pm.read').call(listPatches, { query })).body.totalCount).toBe(0)
})

test('the list of patches refuses an unknown patch type', async () => {
  const refused = await as('pm.read').call(listPatches, { query: { patchType: '3' } })

  expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
})
