import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import { isInAssignmentTree, nearestFirst } from '../assignments/effective-assignments.ts'
import { isDepotOnline } from './depot-servers.ts'

/** Addresses of depots. The computer tries them before or after the master server, in this order. */
export type DepotUrls = { beforeMaster: string[]; afterMaster: string[] }

/**
 * Lists the addresses from which a computer may download files. They are the depots of the nearest group that has a
 * failover list, among the groups of the computer and their ancestors. Offline depots are left out. The master server has
 * its place in the list; if the list does not contain it, the computer tries it last.
 */
export async function listDepotUrls(db: Database, computerId: number): Promise<DepotUrls> {
  const [urls] = await listDepotUrlsOfComputers(db, [computerId])
  return urls ?? { beforeMaster: [], afterMaster: [] }
}

/** The same for several computers, in their order. */
export async function listDepotUrlsOfComputers(db: Database, computerIds: readonly number[]): Promise<DepotUrls[]> {
  const rows = await listedDepots(db, JSON.stringify(computerIds))
  const byOwner = Map.groupBy(rows, ({ owner_id }) => owner_id)
  return computerIds.map((computerId) => toDepotUrls((byOwner.get(computerId) ?? []).map(({ url }) => url)))
}

const listedDepots = preparedStatement((db, computerIds: string) =>
  sql<{ owner_id: number; url: string | null }>`
    with ${nearestListCtes(sql`select jsonb_array_elements_text(${computerIds}::jsonb)::integer as owner_id`)}
    select nearest.owner_id, case when computers.role = 'DepotServer' then depots.url end as url
    from nearest
      join group_depot_servers listed on listed.group_id = nearest.group_id
      join computers on computers.id = listed.computer_id
      left join depots on depots.computer_id = computers.id
    where computers.role = 'MasterServer'
      or (computers.role = 'DepotServer' and depots.url is not null and ${isDepotOnline()})
    order by nearest.owner_id, listed.priority`.compile(db),
)

function toDepotUrls(urls: readonly (string | null)[]): DepotUrls {
  const master = urls.includes(null) ? urls.indexOf(null) : urls.length
  const depotsIn = (part: readonly (string | null)[]) => part.filter((url) => url !== null)
  return { beforeMaster: depotsIn(urls.slice(0, master)), afterMaster: depotsIn(urls.slice(master)) }
}

/** Whether the computer has a failover list with depots, none of which is online: it downloads from the master server. */
export async function hasOnlyOfflineDepots(db: Database, computerId: number): Promise<boolean> {
  const { rows } = await sql<{ is_offline: boolean | null }>`
    with ${nearestListCtes(sql`select ${computerId}::integer as owner_id`)}
    select bool_and(${isDepotOnline()} is not true) as is_offline
    from nearest
      join group_depot_servers listed on listed.group_id = nearest.group_id
      join computers on computers.id = listed.computer_id and computers.role = 'DepotServer'
      left join depots on depots.computer_id = computers.id`.execute(db)
  return rows[0]?.is_offline ?? false
}

/** Parts of a `with` clause; `nearest` has the nearest group of each computer that has a failover list. */
function nearestListCtes(computers: RawBuilder<{ owner_id: number }>): RawBuilder<unknown> {
  return sql`
    listing as (
      select asked.owner_id, g.id as group_id, g.path as group_path, above.distance,
        ${isInAssignmentTree('g')} as in_assignment_tree
      from (${computers}) as asked
        join effective_memberships member on member.computer_id = asked.owner_id
        join group_ancestors above on above.descendant_id = member.group_id
        join groups g on g.id = above.ancestor_id
      where above.ancestor_id = any(array(select distinct group_id from group_depot_servers))
        and member.computer_id = any(array(select owner_id from (${computers}) as asking))
    ), nearest as (
      select distinct on (owner_id) owner_id, group_id from listing order by owner_id, ${nearestFirst('listing')}
    )`
}
