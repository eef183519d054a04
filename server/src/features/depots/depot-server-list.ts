import { sql } from 'kysely'
import type { Call } from '../../platform/operation.ts'
import { type Paging, pageOf } from '../../platform/paging.ts'
import { type DepotRole, servesPackages } from './depot-servers.ts'

type ListCall = Pick<Call, 'db' | 'request' | 'setHeader'> & { params: { id: string }; query: Partial<Paging> }

/** The failover list of a group. A change has no paging and shows the first page, which holds every list. */
export function depotServersOfGroup(call: ListCall) {
  const rows = call.db
    .selectFrom('group_depot_servers')
    .innerJoin('computers', 'computers.id', 'group_depot_servers.computer_id')
    .where('group_depot_servers.group_id', '=', call.params.id)
    .where(servesPackages)
    .select([
      'group_depot_servers.priority',
      'computers.id as clientId',
      'computers.name as hostname',
      'computers.domain',
      sql<DepotRole>`computers.role`.as('role'),
    ])
  return pageOf({ ...call, query: { skip: 0, top: 50, ...call.query } }, rows, { columns: ['priority'] })
}
