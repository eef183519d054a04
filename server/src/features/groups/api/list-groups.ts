import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { groupRows } from '../group-rows.ts'
import { Group, GroupTypeFilter, treeOfFilter } from './schemas.ts'

export const listGroups = operation({
  id: 'listGroups',
  route: 'GET /api/group',
  summary: 'List groups',
  description: 'Lists the groups of all trees, including root groups, ordered by id.',
  role: 'group.read',
  query: closed({
    ...paging,
    type: Type.Optional(GroupTypeFilter),
    nameContains: Type.Optional(text(255, 'desk', 'Only groups whose name contains this text, regardless of case')),
  }),
  returns: ok(pagedResultOf(Group)),
  handle(call) {
    const { type, nameContains } = call.query
    let groups = groupRows(call.db)
    if (type) groups = groups.where('tree', '=', treeOfFilter[type])
    if (nameContains) groups = groups.where('name', 'ilike', containing(nameContains))
    return pageOf(call, groups, { columns: ['id'] })
  },
})
