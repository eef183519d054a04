import { ok, operation } from '../../../platform/operation.ts'
import { paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../groups/groups.ts'
import { pageOfGroupDepotServers } from '../group-depot-servers.ts'
import { GroupDepotServer } from './schemas.ts'

export const getGroupDepotServers = operation({
  id: 'getGroupDepotServers',
  route: 'GET /api/group/:id/depot-servers',
  summary: 'List the depot servers of a group in failover order',
  description:
    'Lists only the depot servers that are assigned to the group itself. A computer uses the list of its nearest group ' +
    'that has one, so an empty list means that the groups above decide.',
  role: 'group.read',
  params: GroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(GroupDepotServer)),
  problems: [groupNotFound],
  async handle(call) {
    await requireGroup(call.db, call.params.id)
    return pageOfGroupDepotServers(call)
  },
})
