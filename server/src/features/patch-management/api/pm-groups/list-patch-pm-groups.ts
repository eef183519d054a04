import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { PatchPath } from '../../../patches/api/schemas.ts'
import { requirePatch } from '../../../patches/patch-rows.ts'
import { patchNotFound } from '../../../patches/problems.ts'
import type { PmGroupCategory } from '../../pm-groups.ts'
import { PatchPmGroup } from './schemas.ts'

export const listPatchPmGroups = operation({
  id: 'listPatchPmGroups',
  route: 'GET /api/patches/:patchId/pmgroups',
  summary: 'List the patch management groups that contain a patch',
  description: 'Returns one item per group and product version for which the group contains the patch.',
  role: 'pm.read',
  params: PatchPath,
  query: closed(paging),
  returns: ok(pagedResultOf(PatchPmGroup)),
  problems: [patchNotFound],
  async handle(call) {
    const { params, db } = call
    await requirePatch(db, params.patchId)
    const groups = db
      .selectFrom('pm_group_patches')
      .innerJoin('pm_groups', 'pm_groups.id', 'pm_group_patches.pm_group_id')
      .innerJoin('patch_products', 'patch_products.id', 'pm_group_patches.product_id')
      .where('pm_group_patches.patch_id', '=', params.patchId)
      .select([
        'pm_groups.id as pmGroupId',
        'pm_groups.name as pmGroupName',
        sql<PmGroupCategory>`pm_groups.category`.as('category'),
        'patch_products.id as productId',
        'patch_products.name as productName',
      ])
    return pageOf(call, groups, { columns: ['pmGroupId', 'productId'] })
  },
})
