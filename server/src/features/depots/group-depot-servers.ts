import { sql } from 'kysely'
import type { Call } from '../../platform/operation.ts'
import { type Paging, pageOf } from '../../platform/paging.ts'
import { type DepotRole, isDepot } from './depot-servers.ts'

type ListCall = Pick<Call, 'db' | 'request' | 'setHeader'> & { params: { id: string }; query: Partial<Paging> }

/** The page of a group's failover list. Without paging it is the first page, which is long enough for every list. */
export function pageOfGroupDepotServers(call: ListCall) {
  const rows = call.db
    .selectFrom('group_depot_servers')
    .innerJoin('computers', 'computers.id', 'group_depot_servers.computer_id')
    .where('group_depot_servers.group_id', '=', call.params.id)
    .where(isDepot())
    .select([
      'group_depot_servers.priority',
      'computers.id as clientId',
      'computers.name as hostname',
      'computers.domain',
      sql<DepotRole>`computers.role`.as('role'),
    ])
  return pageOf({ ...call, query: { skip: 0, top: 50, ...call.query } }, rows, { columns: ['priority'] })
}
