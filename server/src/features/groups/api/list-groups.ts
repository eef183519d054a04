import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { groupRows } from '../group-rows.ts'
import { filteredTree, Group, GroupTypeFilter } from './schemas.ts'

export const listGroups = operation({
  id: 'listGroups',
  route: 'GET /api/group',
  summary: 'List the groups',
  role: 'group.read',
  query: closed({
    ...paging,
    type: Type.Optional(GroupTypeFilter),
    nameContains: Type.Optional(text(255, 'desk', 'Only groups in whose name this text occurs')),
  }),
  returns: ok(pagedResultOf(Group)),
  handle(call) {
    const { type, nameContains } = call.query
    let groups = groupRows(call.db)
    if (type) groups = groups.where('tree', '=', filteredTree[type])
    if (nameContains) groups = groups.where('name', 'ilike', containing(nameContains))
    return pageOf(call, groups, { columns: ['id'] })
  },
})
