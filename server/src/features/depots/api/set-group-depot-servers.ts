import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { affectsGroup } from '../../groups/affected-computers.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../groups/groups.ts'
import { isDepot } from '../depot-servers.ts'
import { pageOfGroupDepotServers } from '../group-depot-servers.ts'
import { getGroupDepotServers } from './get-group-depot-servers.ts'
import { SetGroupDepotServersRequest } from './schemas.ts'

export const setGroupDepotServers = operation({
  id: 'setGroupDepotServers',
  route: 'PUT /api/group/:id/depot-servers',
  summary: 'Replace the depot servers of a group',
  description:
    'The order of the list is the failover order; the first entry is the primary depot server. Allowed are the depot ' +
    'servers and the master server, as listed by GET /api/system/depot-servers. An empty list clears it. The body may ' +
    'also be the list itself. Answers 409 for special groups.',
  role: 'group.write',
  massAction: affectsGroup,
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
    const invalidIndex = await findIndexOfOther(db, wanted)
    if (invalidIndex >= 0) {
      const name = Array.isArray(body) ? `${invalidIndex}` : `depotServers.${invalidIndex}`
      throw invalidPart('body', name, 'is not the client id of a depot server or of the master server')
    }
    await db.deleteFrom('group_depot_servers').where('group_id', '=', params.id).execute()
    await sql`
      insert into group_depot_servers (group_id, priority, computer_id)
      select ${params.id}, priority, id from unnest(${wanted}::integer[]) with ordinality as wanted (id, priority)`.execute(
      db,
    )
    return pageOfGroupDepotServers(call)
  },
})

/** The index of the first id that is not a depot, or -1. Locks the depots so that they keep their role until the end. */
async function findIndexOfOther(db: Database, wanted: number[]): Promise<number> {
  const found = await db
    .selectFrom('computers')
    .select('id')
    .where(isDepot())
    .where('id', '=', sql<number>`any(${wanted}::integer[])`)
    .forShare()
    .execute()
  const ids = new Set(found.map(({ id }) => id))
  return wanted.findIndex((id) => !ids.has(id))
}
