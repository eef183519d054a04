import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../../platform/schema.ts'
import { pmGroupRows } from '../../pm-groups.ts'
import { PmGroup, PmGroupCategorySchema } from './schemas.ts'

export const listPmGroups = operation({
  id: 'listPmGroups',
  route: 'GET /api/pmgroup',
  summary: 'List patch management groups',
  role: 'pm.read',
  query: closed({
    ...paging,
    nameContains: Type.Optional(text(255, 'Servers', 'Only groups whose name contains this text')),
    category: Type.Optional(PmGroupCategorySchema),
  }),
  returns: ok(pagedResultOf(PmGroup)),
  handle(call) {
    const { nameContains, category } = call.query
    let groups = pmGroupRows(call.db)
    if (nameContains) groups = groups.where('pm_groups.name', 'ilike', containing(nameContains))
    if (category) groups = groups.where('pm_groups.category', '=', category)
    return pageOf(call, groups, { columns: ['id'] })
  },
})
