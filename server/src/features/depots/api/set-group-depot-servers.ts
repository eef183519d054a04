import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../groups/groups.ts'
import { depotServersOfGroup } from '../depot-server-list.ts'
import { servesPackages } from '../depot-servers.ts'
import { getGroupDepotServers } from './get-group-depot-servers.ts'
import { SetGroupDepotServersRequest } from './schemas.ts'

export const setGroupDepotServers = operation({
  id: 'setGroupDepotServers',
  route: 'PUT /api/group/:id/depot-servers',
  summary: 'Replace the depot servers of a group',
  description:
    'The first is the primary one. Depot servers and the master server may be named (GET /api/system/depot-servers); ' +
    'an empty list clears. The body may also be the bare list.',
  role: 'group.write',
  params: GroupPath,
  body: SetGroupDepotServersRequest,
  returns: getGroupDepotServers.returns,
  problems: [groupNotFound, specialGroup],
  changes: getGroupDepotServers,
  async handle(call) {
    const { params, body, db } = call
    const wanted = Array.isArray(body) ? body : body.depotServers
    const group = await pinGroup(db, params.id)
    if (isSpecial(group.kind)) throw specialGroup({ groupId: params.id })
    const foreign = await indexOfForeign(db, wanted)
    if (foreign >= 0) {
      const name = Array.isArray(body) ? `${foreign}` : `depotServers.${foreign}`
      throw invalidPart('body', name, 'is not the client id of a depot server or of the master server')
    }
    await db.deleteFrom('group_depot_servers').where('group_id', '=', params.id).execute()
    await sql`
      insert into group_depot_servers (group_id, priority, computer_id)
      select ${params.id}, priority, id from unnest(${wanted}::integer[]) with ordinality as wanted (id, priority)`.execute(
      db,
    )
    return depotServersOfGroup(call)
  },
})

/** Where the list has an id that is not of a depot, or -1. Those that are stay depots until the transaction ends. */
async function indexOfForeign(db: Database, wanted: number[]): Promise<number> {
  const found = await db
    .selectFrom('computers')
    .select('id')
    .where(servesPackages)
    .where('id', '=', sql<number>`any(${wanted}::integer[])`)
    .forShare()
    .execute()
  const ids = new Set(found.map(({ id }) => id))
  return wanted.findIndex((id) => !ids.has(id))
}
