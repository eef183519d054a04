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
 * The members of each group are counted once, and `computers` are these counts added up, wherever no computer can repeat: a computer is
 * in one exclusive group at most, and a group may be the only one with members. In all other groups, the computers of the groups that
 * are not exclusive are compared; in the tree of configuration groups, a computer may be in an exclusive one as well.
 */
const countedGroups = sql`
  own as materialized (
    select group_id, count(*)::integer as count from group_computers group by group_id
  ), inside as materialized (
    select below.ancestor_id, below.descendant_id, own.count, groups.is_exclusive
    from own join groups on groups.id = own.group_id join group_ancestors below on below.descendant_id = own.group_id
  ), added as materialized (
    select ancestor_id, sum(count)::integer as count,
      coalesce(sum(count) filter (where is_exclusive), 0)::integer as exclusive,
      count(*) > 1 and not bool_and(is_exclusive) as may_repeat
    from inside group by ancestor_id
  ), compared as materialized (
    select ancestor_id, count(*)::integer as count
    from (
      select distinct added.ancestor_id, member.computer_id
      from added join inside on inside.ancestor_id = added.ancestor_id
        join group_computers member on member.group_id = inside.descendant_id
      where added.may_repeat and not inside.is_exclusive and (added.exclusive = 0 or not exists (
        select from group_computers exclusive join group_ancestors around on around.descendant_id = exclusive.group_id
        where exclusive.is_exclusive and exclusive.computer_id = member.computer_id
          and around.ancestor_id = added.ancestor_id
        offset 0))
    ) as each_once
    group by ancestor_id
  )`

/** All groups with their counts. Memberships are counted for all groups together, not group by group. */
export async function listTreeGroups(db: Database): Promise<TreeGroup[]> {
  const { rows } = await sql<TreeGroup>`
    with ${countedGroups}
    select groups.id, groups.name, groups.tree as "assignedToTree", groups.parent_id as "parentId", groups.kind,
      coalesce(own.count, 0) as members,
      coalesce(case when added.may_repeat then added.exclusive + coalesce(compared.count, 0) else added.count end, 0)
        as computers
    from groups
      left join own on own.group_id = groups.id
      left join added on added.ancestor_id = groups.id
      left join compared on compared.ancestor_id = groups.id
    where ${isVisibleGroup}
    order by groups.depth, groups.tree desc, lower(groups.name), groups.id`.execute(db)
  return rows
}
