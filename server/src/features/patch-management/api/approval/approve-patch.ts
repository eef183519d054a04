import { ok, operation } from '../../../../platform/operation.ts'
import { PatchApproval, PatchPath, ProductScope } from '../../../patches/api/schemas.ts'
import { requestDownloadsInUse } from '../../../patches/files/request-downloads.ts'
import { listProductChoices, lockPatchLinks, requirePatch } from '../../../patches/patch-rows.ts'
import { patchNotFound, patchProductNotFound, productScopeRequired } from '../../../patches/problems.ts'
import { computersWithoutPatch } from '../../affected-computers.ts'
import { countReachedBy, linkOf } from '../../reached-computers.ts'

export const approvePatch = operation({
  id: 'approvePatch',
  route: 'POST /api/patches/:patchId/approval',
  summary: 'Approve a patch for one product version',
  description:
    'Releases the patch to computers whose patch management groups contain it for this product version. The approval ' +
    'itself creates no work: the next patch scan that finds the patch missing makes the fix package of the computer due. ' +
    'Its files are downloaded, if documents name any and the settings allow their hosts. Approving again has no effect. ' +
    'Without `productId`, the answer is 400 and lists the product versions of the patch.',
  role: 'pm.approve',
  massAction: { computers: ({ params, query }) => computersWithoutPatch(params.patchId, query.productId) },
  params: PatchPath,
  query: ProductScope,
  returns: ok(PatchApproval),
  problems: [patchNotFound, patchProductNotFound, productScopeRequired],
  async handle({ params: { patchId }, query: { productId }, db, services }) {
    if (productId === undefined) {
      await requirePatch(db, patchId)
      throw productScopeRequired({ patchId, products: await listProductChoices(db, [patchId]) })
    }
    const [link] = await lockPatchLinks(db, [patchId], productId)
    if (!link?.approved_at)
      await db
        .updateTable('patch_links')
        .set({ approved_at: new Date() })
        .where('patch_id', '=', patchId)
        .where('product_id', '=', productId)
        .execute()
    await requestDownloadsInUse(db, services.configuration, [patchId])
    const reachedComputers = await countReachedBy(db, linkOf(patchId, productId))
    return { patchId, productId, patchCount: 1, linkItemsTotal: link?.link_items ?? 0, reachedComputers }
  },
})
