import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { PatchApproval, PatchPath, ProductScope } from '../../../patches/api/schemas.ts'
import { lockPatchLinks, requirePatch } from '../../../patches/patch-rows.ts'
import { patchNotFound, patchProductNotFound } from '../../../patches/problems.ts'
import { computersWithoutPatch } from '../../affected-computers.ts'
import { countReachedBy, linkOf, linksOf } from '../../reached-computers.ts'
import { cancelUnneededFixWork } from '../../remediate.ts'

export const revokePatchApproval = operation({
  id: 'revokePatchApproval',
  route: 'DELETE /api/patches/:patchId/approval',
  summary: 'Revoke the approval of a patch',
  description:
    'Revokes the approval for one product version or, without `productId`, for all. Cancels fix work on computers to ' +
    'which no other missing patch is released. Work that an agent has already started continues, and installed patches ' +
    'stay installed. Test and emergency assignments release patches without an approval and are not affected.',
  role: 'pm.approve',
  massAction: { computers: ({ params, query }) => computersWithoutPatch(params.patchId, query.productId) },
  params: PatchPath,
  query: ProductScope,
  returns: ok(PatchApproval),
  problems: [patchNotFound, patchProductNotFound],
  async handle({ params: { patchId }, query: { productId }, db }) {
    if (productId === undefined) await requirePatch(db, patchId)
    else await lockPatchLinks(db, [patchId], productId)
    const scope =
      productId === undefined ? sql`patch_id = ${patchId}` : sql`(patch_id, product_id) = (${patchId}, ${productId})`
    const { rows } = await sql<{ total: number }>`
      with revoked as (
        update patch_links set approved_at = null where ${scope} and approved_at is not null
      )
      select coalesce(sum(link_items), 0)::integer as total from patch_links where ${scope}`.execute(db)
    await cancelUnneededFixWork(
      db,
      sql<{ owner_id: number }>`select computer_id as owner_id from computer_patches where ${scope} and is_missing`,
    )
    const reachedComputers = await countReachedBy(
      db,
      productId === undefined ? linksOf([patchId]) : linkOf(patchId, productId),
    )
    return {
      patchId,
      productId: productId ?? null,
      patchCount: 1,
      linkItemsTotal: rows[0]?.total ?? 0,
      reachedComputers,
    }
  },
})
