import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { patchProductRows, requirePatch } from '../patch-rows.ts'
import { patchNotFound } from '../problems.ts'
import { PatchPath, PatchProduct } from './schemas.ts'

export const listPatchProducts = operation({
  id: 'listPatchProducts',
  route: 'GET /api/patches/:patchId/products',
  summary: 'List the product versions of a patch',
  description: 'Each item shows the number of link items and whether the patch is approved for this product version.',
  role: 'pm.read',
  params: PatchPath,
  query: closed(paging),
  returns: ok(pagedResultOf(PatchProduct)),
  problems: [patchNotFound],
  async handle(call) {
    const { params, db } = call
    await requirePatch(db, params.patchId)
    const products = patchProductRows(db).where('patch_links.patch_id', '=', params.patchId)
    return pageOf(call, products, { columns: ['productId'] })
  },
})
