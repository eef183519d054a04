import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isVisibleGroup, type VisibleGroupKind } from './group-summaries.ts'

type TreeGroup = {
  id: string
  name: string
  assignedToTree: string
  parentId: string | null
  kind: VisibleGroupKind
  members: number
  computers: number
}

/**
 * How many computers are in each group or below it, each counted once. A computer is in one exclusive group at most, so these are only
 * added up; it may be in several others, and in the tree of configuration groups in another one as well.
 */
const computersInside = sql`
  select ancestor_id, sum(part.count)::integer as count
  from (
    select below.ancestor_id, own.count
    from group_ancestors below join (
      select group_id, count(*) as count from group_computers where is_exclusive group by group_id
    ) as own on own.group_id = below.descendant_id
    union all
    select ancestor_id, count(*) as count
    from (
      select distinct below.ancestor_id, member.computer_id
      from group_computers member
        join group_ancestors below on below.descendant_id = member.group_id
        join groups above on above.id = below.ancestor_id
      where not member.is_exclusive and (above.tree <> 'ConfigurationGroups' or not exists (
        select from group_computers exclusive join group_ancestors around on around.descendant_id = exclusive.group_id
        where exclusive.is_exclusive and exclusive.computer_id = member.computer_id
          and around.ancestor_id = below.ancestor_id))
    ) as each_once
    group by ancestor_id
  ) as part
  group by ancestor_id`

/** All groups with their counts. Memberships are counted for all groups together, not group by group. */
export async function listTreeGroups(db: Database): Promise<TreeGroup[]> {
  const { rows } = await sql<TreeGroup>`
    select groups.id, groups.name, groups.tree as "assignedToTree", groups.parent_id as "parentId", groups.kind,
      coalesce(own.count, 0) as members, coalesce(inside.count, 0) as computers
    from groups
      left join (
        select group_id, count(*)::integer as count from group_computers group by group_id
      ) as own on own.group_id = groups.id
      left join (${computersInside}) as inside on inside.ancestor_id = groups.id
    where ${isVisibleGroup}
    order by groups.depth, groups.tree desc, lower(groups.name), groups.id`.execute(db)
  return rows
}
