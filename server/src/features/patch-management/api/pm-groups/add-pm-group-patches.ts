import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { requestDownloadsInUse } from '../../../patches/files/request-downloads.ts'
import { listProductChoices, lockPatchLinks, requirePatches } from '../../../patches/patch-rows.ts'
import {
  patchNotFound,
  patchProductNotFound,
  pmGroupNotFound,
  productScopeRequired,
} from '../../../patches/problems.ts'
import { affectsPmGroup } from '../../affected-computers.ts'
import { lockPmGroup, type PmGroupCategory } from '../../pm-groups.ts'
import { categoryMismatch } from './problems.ts'
import { AddPmGroupPatchesRequest, PmGroupPatchesAdded, PmGroupPath } from './schemas.ts'

export const addPmGroupPatches = operation({
  id: 'addPmGroupPatches',
  route: 'POST /api/pmgroup/:id/patches',
  summary: 'Add patches to a patch management group',
  description:
    'Adds the patches for one product version. Computers get them after the next patch scan that finds them missing, if ' +
    'they are approved. Files of the patches are downloaded like after an approval. Answers 201 if at least one patch is new to the group and 200 if the group contained all of them. ' +
    'Without `productId`, the answer is 400 and lists the product versions of the patches. Service packs and other patches ' +
    'cannot share a group: a mismatch with the category answers 409. In case of a problem, no patch is added.',
  role: 'pm.write',
  massAction: affectsPmGroup,
  params: PmGroupPath,
  body: AddPmGroupPatchesRequest,
  returns: { ...created(PmGroupPatchesAdded), ...ok(PmGroupPatchesAdded) },
  problems: [pmGroupNotFound, patchNotFound, patchProductNotFound, productScopeRequired, categoryMismatch],
  async handle({ params: { id: pmGroupId }, body, db, services }) {
    const { productId = null } = body
    const patchIds = [...new Set([...(body.patchIds ?? []), ...(body.patchId === undefined ? [] : [body.patchId])])]
    if (patchIds.length === 0 && productId !== null) throw invalidPart('body', 'patchIds', 'is required')
    const { category } = await lockPmGroup(db, pmGroupId)
    if (productId === null) {
      await requirePatches(db, patchIds)
      throw productScopeRequired({ pmGroupId, patchIds, products: await listProductChoices(db, patchIds) })
    }
    const links = await lockPatchLinks(db, patchIds, productId)
    await requireCategory(db, category, patchIds)
    const { rows } = await sql<{ patch_id: number }>`
      insert into pm_group_patches (pm_group_id, patch_id, product_id)
      select ${pmGroupId}, unnest(${patchIds}::integer[]), ${productId} on conflict do nothing returning patch_id`.execute(
      db,
    )
    await requestDownloadsInUse(db, services.configuration, patchIds)
    return new Answer(rows.length > 0 ? 201 : 200, {
      pmGroupId,
      productId,
      patchCount: patchIds.length,
      addedCount: rows.length,
      linkItemsTotal: links.reduce((total, { link_items }) => total + link_items, 0),
    })
  },
})

async function requireCategory(db: Database, category: PmGroupCategory, patchIds: readonly number[]): Promise<void> {
  const other = await db
    .selectFrom('patches')
    .select('id')
    .where('id', '=', sql<number>`any(${patchIds}::integer[])`)
    .where('is_service_pack', '<>', category === 'ServicePack')
    .limit(1)
    .executeTakeFirst()
  if (other) throw categoryMismatch({ patchId: other.id, category })
}
