import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { hasPatchNumbers, matchesPatchCriteria } from '../patch-criteria.ts'
import { patchRows } from '../patch-rows.ts'
import { PatchTypeFilter } from '../patch-type-schemas.ts'
import { Patch } from './schemas.ts'

export const listPatches = operation({
  id: 'listPatches',
  route: 'GET /api/patches',
  summary: 'List the patches of the catalog',
  role: 'pm.read',
  query: closed({
    ...paging,
    patchName: Type.Optional(text(255, 'openssl', 'Only patches whose name contains this text')),
    qNumber: Type.Optional(text(255, 'KB5034441', 'Only patches with this number')),
    bulletinId: Type.Optional(text(255, 'DSA-5532-1', 'Only patches of this bulletin')),
    patchType: Type.Optional(PatchTypeFilter),
  }),
  returns: ok(pagedResultOf(Patch)),
  handle(call) {
    const { query, db } = call
    const { patchName = null, patchType = null } = query
    const matching = db
      .selectFrom('patches')
      .select('patches.id as patchId')
      .where(matchesPatchCriteria({ patchName, patchType }))
      .where(hasPatchNumbers(query))
    return pageOf(call, patchRows(db), { columns: ['patchId'] }, { query: matching, once: false })
  },
})
