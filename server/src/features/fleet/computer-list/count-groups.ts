import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type ComputerFilter, hasFilter, matchesBeyondFacets, matchesFacets } from './filter.ts'
import { listedGroupKinds } from './groups-of-computer.ts'

/** More groups than this are not a choice for people. The smallest are left out. */
const maxGroups = 100

type GroupCount = { groupId: string; name: string; path: string; count: number }

/** Counts the direct members of groups that meet the filter, apart from its groups. The largest groups first. */
export async function countGroups(
  db: Database,
  { groupId: _, ...filter }: ComputerFilter,
  isFound: RawBuilder<boolean>,
): Promise<GroupCount[]> {
  const matching = hasFilter(filter)
    ? sql`where member.computer_id in (
        select summary.computer_id from computer_summaries summary where ${matchesFacets(filter)} and ${matchesBeyondFacets(filter)}
          and ${isFound})`
    : sql``
  const { rows } = await sql<GroupCount>`
    select groups.id as "groupId", groups.name, groups.path, counted.count
    from (
      select member.group_id, count(*)::integer as count from group_computers member ${matching} group by member.group_id
    ) as counted join groups on groups.id = counted.group_id and ${listedGroupKinds}
    order by counted.count desc, groups.path, groups.id limit ${maxGroups}`.execute(db)
  return rows
}
