import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { depotServerRows } from '../../depot-servers.ts'
import { DepotServer } from './schemas.ts'

export const listDepotServers = operation({
  id: 'listDepotServers',
  route: 'GET /api/system/depot-servers',
  summary: 'List the depot servers and the master server',
  description: 'These computers are allowed in the failover lists of groups (PUT /api/group/{id}/depot-servers).',
  role: 'computer.read',
  query: closed(paging),
  returns: ok(pagedResultOf(DepotServer)),
  handle: (call) => pageOf(call, depotServerRows(call.db), { columns: ['clientId'] }),
})
