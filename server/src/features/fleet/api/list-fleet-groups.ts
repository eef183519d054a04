import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text, Uuid } from '../../../platform/schema.ts'
import { groupSummaryRows, isVisibleGroup, matchesGroupSearch } from '../pages/group-summaries.ts'
import { GroupSummary } from './page-schemas.ts'

export const listFleetGroups = operation({
  id: 'listFleetGroups',
  route: 'GET /api/fleet/groups',
  summary: 'List the groups of both trees with the number of their computers',
  description: 'Ordered by path, so a group comes before the groups below it. Reinstall groups are not listed.',
  role: 'group.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed({
    ...paging,
    search: Type.Optional(
      text(255, 'berlin fin', 'Words separated by spaces. Each must occur in the path, regardless of case.'),
    ),
    groupId: Type.Optional({ ...Uuid, description: 'Only this group' }),
  }),
  returns: ok(pagedResultOf(GroupSummary)),
  handle(call) {
    const { db, query } = call
    const visible = db
      .selectFrom('groups')
      .select(['groups.path', 'groups.id'])
      .where(isVisibleGroup)
      .where(matchesGroupSearch(query))
    return pageOf(call, groupSummaryRows(db), { columns: ['path', 'id'] }, { query: visible, once: false })
  },
})
