import { sql } from 'kysely'
import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { matchesPatchCriteria } from '../../../patches/patch-criteria.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { pmGroupPatchRows } from '../../pm-group-contents.ts'
import { requirePmGroup } from '../../pm-groups.ts'
import { PmGroupPatch, PmGroupPatchFilter, PmGroupPath } from './schemas.ts'

export const searchPmGroupPatches = operation({
  id: 'searchPmGroupPatches',
  route: 'POST /api/pmgroup/:id/patches/search',
  summary: 'Search the patches of a patch management group',
  description:
    'A patch must meet all criteria. `productName` and `isApproved` are about the product version for which the group ' +
    'contains the patch.',
  role: 'pm.read',
  execution: { kind: 'Read' },
  params: PmGroupPath,
  query: closed(paging),
  body: PmGroupPatchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(PmGroupPatch)),
  problems: [pmGroupNotFound],
  async handle(call) {
    const { params, body, db } = call
    await requirePmGroup(db, params.id)
    // Unlike in searchPatches, these two are about the product for which the group contains the patch.
    const { productName, isApproved, ...criteria } = body ?? {}
    let patches = pmGroupPatchRows(db, params.id).where(matchesPatchCriteria(criteria))
    if (productName) patches = patches.where('patch_products.name', 'ilike', containing(productName))
    if (typeof isApproved === 'boolean')
      patches = patches.where(sql<boolean>`(patch_links.approved_at is not null) = ${isApproved}::boolean`)
    return pageOf(call, patches, { columns: ['patchId', 'productId'] })
  },
})
