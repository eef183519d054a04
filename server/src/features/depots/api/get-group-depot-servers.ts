import { ok, operation } from '../../../platform/operation.ts'
import { paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../groups/groups.ts'
import { depotServersOfGroup } from '../depot-server-list.ts'
import { GroupDepotServer } from './schemas.ts'

export const getGroupDepotServers = operation({
  id: 'getGroupDepotServers',
  route: 'GET /api/group/:id/depot-servers',
  summary: 'List the depot servers of a group in the order in which they are tried',
  description: 'Only what is assigned to the group itself; groups above it are not asked.',
  role: 'group.read',
  params: GroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(GroupDepotServer)),
  problems: [groupNotFound],
  async handle(call) {
    await requireGroup(call.db, call.params.id)
    return depotServersOfGroup(call)
  },
})
