import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isInAssignmentTree, joinMemberships, nearestFirst } from '../assignments/effective-assignments.ts'
import { isDepotOnline } from './depot-servers.ts'

/** Addresses of depots. The computer tries them before or after the master server, in this order. */
export type DepotUrls = { beforeMaster: string[]; afterMaster: string[] }

/**
 * Lists the addresses from which a computer may download files. They are the depots of the nearest group that has a
 * failover list, among the groups of the computer and their ancestors. Offline depots are left out. The master server has
 * its place in the list; if the list does not contain it, the computer tries it last.
 */
export async function listDepotUrls(db: Database, computerId: number): Promise<DepotUrls> {
  const { rows } = await sql<{ url: string | null }>`
    with ${nearestListCtes(computerId)}
    select case when computers.role = 'DepotServer' then depots.url end as url
    from nearest
      join group_depot_servers listed on listed.group_id = nearest.group_id
      join computers on computers.id = listed.computer_id
      left join depots on depots.computer_id = computers.id
    where computers.role = 'MasterServer'
      or (computers.role = 'DepotServer' and depots.url is not null and ${isDepotOnline()})
    order by listed.priority`.execute(db)
  const urls = rows.map(({ url }) => url)
  const master = urls.includes(null) ? urls.indexOf(null) : urls.length
  const depotsIn = (part: (string | null)[]) => part.filter((url) => url !== null)
  return { beforeMaster: depotsIn(urls.slice(0, master)), afterMaster: depotsIn(urls.slice(master)) }
}

/** Whether the computer has a failover list with depots, none of which is online: it downloads from the master server. */
export async function hasOnlyOfflineDepots(db: Database, computerId: number): Promise<boolean> {
  const { rows } = await sql<{ is_offline: boolean | null }>`
    with ${nearestListCtes(computerId)}
    select bool_and(${isDepotOnline()} is not true) as is_offline
    from nearest
      join group_depot_servers listed on listed.group_id = nearest.group_id
      join computers on computers.id = listed.computer_id and computers.role = 'DepotServer'
      left join depots on depots.computer_id = computers.id`.execute(db)
  return rows[0]?.is_offline ?? false
}

/** Parts of a `with` clause; `nearest` is the nearest group of the computer that has a failover list. */
function nearestListCtes(computerId: number): RawBuilder<unknown> {
  return sql`
    listing as (
      select g.id as group_id, g.path as group_path, above.distance,
        ${isInAssignmentTree('g')} as in_assignment_tree
      from (select ${computerId}::integer as owner_id) as asked
        ${joinMemberships({ computerId: 'asked.owner_id', as: 'member' })}
        join group_ancestors above on above.descendant_id = member.group_id
        join groups g on g.id = above.ancestor_id
      where exists (select from group_depot_servers listed where listed.group_id = g.id)
    ), nearest as (
      select group_id from listing order by ${nearestFirst('listing')} limit 1
    )`
}
