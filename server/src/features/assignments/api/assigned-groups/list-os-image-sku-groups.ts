import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { OsImageSkuPath } from '../../../packages/api/operating-systems/schemas.ts'
import { getOsImageSku } from '../../../packages/operating-systems.ts'
import { operatingSystemImportNotFound, osImageSkuNotFound } from '../../../packages/problems.ts'
import { directlyAssignedGroups } from '../../directly-assigned-groups.ts'

export const listOsImageSkuGroups = operation({
  id: 'listOsImageSkuGroups',
  route: 'GET /api/operating-system-imports/:id/skus/:skuId/groups',
  summary: 'List the groups to which an operating system edition is assigned directly',
  description: 'Lists direct assignments only: a group that inherits it from an ancestor is not listed.',
  role: 'package.read',
  params: OsImageSkuPath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [operatingSystemImportNotFound, osImageSkuNotFound],
  async handle(call) {
    const { params, db } = call
    await getOsImageSku(db, params.id, params.skuId)
    return pageOf(call, directlyAssignedGroups(db, 'osImageSku', params.skuId), { columns: ['id'] })
  },
})
