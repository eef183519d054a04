import { sql } from 'kysely'
import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { matchesPatchCriteria } from '../patch-criteria.ts'
import { patchRows } from '../patch-rows.ts'
import { Patch, PatchSearchFilter } from './schemas.ts'

export const searchPatches = operation({
  id: 'searchPatches',
  route: 'POST /api/patches/search',
  summary: 'Search the patches of the catalog',
  description:
    'A patch must meet all criteria. Criteria that are absent, null or empty are ignored. Text comparisons ignore case.',
  role: 'pm.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: PatchSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(Patch)),
  handle(call) {
    const { body, db } = call
    const { productName, isApproved, ...criteria } = body ?? {}
    let matching = db.selectFrom('patches').select('patches.id as patchId').where(matchesPatchCriteria(criteria))
    if (typeof isApproved === 'boolean')
      matching = matching.where(
        sql<boolean>`exists (
          select from patch_links where patch_id = patches.id and approved_at is not null) = ${isApproved}::boolean`,
      )
    if (productName)
      matching = matching.where(
        sql<boolean>`exists (
          select from patch_links join patch_products on patch_products.id = patch_links.product_id
          where patch_links.patch_id = patches.id and patch_products.name ilike ${containing(productName)})`,
      )
    return pageOf(call, patchRows(db), { columns: ['patchId'] }, { query: matching, once: body !== undefined })
  },
})
