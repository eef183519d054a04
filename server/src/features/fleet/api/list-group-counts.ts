import { ok, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { countGroups } from '../computer-list/count-groups.ts'
import { computerFilters } from '../computer-list/filter.ts'
import { matchesSearch } from '../computer-list/search.ts'
import { findSelectedSoftware } from '../software/find-products.ts'
import { GroupCount } from './schemas.ts'

export const listGroupCounts = operation({
  id: 'listGroupCounts',
  route: 'GET /api/fleet/computers/groups',
  summary: 'Count computers by the groups that listFleetComputers can filter',
  description:
    'Takes the filters of listFleetComputers. All filters but `groupId` apply. Lists the 100 groups with the most direct ' +
    'members among these computers.',
  role: 'computer.read',
  extension: true,
  query: closed(computerFilters),
  returns: ok(Type.Array(GroupCount)),
  handle: async ({ db, query }) =>
    countGroups(db, query, await matchesSearch(db, query, await findSelectedSoftware(db, query))),
})
