import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { OsImageSkuPath } from '../../../packages/api/operating-systems/schemas.ts'
import { getOsImageSku } from '../../../packages/operating-systems.ts'
import { operatingSystemImportNotFound, osImageSkuNotFound } from '../../../packages/problems.ts'
import { directGroups } from '../../direct-groups.ts'

export const listOsImageSkuGroups = operation({
  id: 'listOsImageSkuGroups',
  route: 'GET /api/operating-system-imports/:id/skus/:skuId/groups',
  summary: 'List the groups to which an edition of an operating system is assigned directly',
  role: 'package.read',
  params: OsImageSkuPath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [operatingSystemImportNotFound, osImageSkuNotFound],
  async handle(call) {
    const { params, db } = call
    await getOsImageSku(db, params.id, params.skuId)
    return pageOf(call, directGroups(db, 'osImageSku', params.skuId), { columns: ['id'] })
  },
})
