import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { pmGroupPatchRows } from '../../pm-group-contents.ts'
import { requirePmGroup } from '../../pm-groups.ts'
import { PmGroupPatch, PmGroupPath } from './schemas.ts'

export const listPmGroupPatches = operation({
  id: 'listPmGroupPatches',
  route: 'GET /api/pmgroup/:id/patches',
  summary: 'List the patches of a patch management group',
  description: 'Returns one item per patch and product version.',
  role: 'pm.read',
  params: PmGroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(PmGroupPatch)),
  problems: [pmGroupNotFound],
  async handle(call) {
    const { params, db } = call
    await requirePmGroup(db, params.id)
    return pageOf(call, pmGroupPatchRows(db, params.id), { columns: ['patchId', 'productId'] })
  },
})
