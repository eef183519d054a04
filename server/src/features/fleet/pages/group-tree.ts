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

/** All groups with their counts. Memberships are counted for all groups together, not group by group. */
export async function listTreeGroups(db: Database): Promise<TreeGroup[]> {
  const { rows } = await sql<TreeGroup>`
    select groups.id, groups.name, groups.tree as "assignedToTree", groups.parent_id as "parentId", groups.kind,
      coalesce(own.count, 0) as members, coalesce(inside.count, 0) as computers
    from groups
      left join (
        select group_id, count(*)::integer as count from group_computers group by group_id
      ) as own on own.group_id = groups.id
      left join (
        select ancestor_id, count(*)::integer as count
        from (
          select distinct below.ancestor_id, member.computer_id
          from group_ancestors below join group_computers member on member.group_id = below.descendant_id
        ) as each_once
        group by ancestor_id
      ) as inside on inside.ancestor_id = groups.id
    where ${isVisibleGroup}
    order by groups.depth, groups.tree desc, lower(groups.name), groups.id`.execute(db)
  return rows
}
