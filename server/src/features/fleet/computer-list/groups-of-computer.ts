import { type RawBuilder, sql } from 'kysely'

/** The condition that a row of `groups` is shown as a group of its members, as listComputerGroups does. */
export const listedGroupKinds = sql<boolean>`groups.kind in ('System', 'Ordinary')`

type GroupOfComputer = { groupId: string; name: string; path: string; assignedToTree: string; isByRule: boolean }

/**
 * The memberships of a computer with their groups. `offset 0` keeps the planner from looking in every group for the computer, as it does
 * while its statistics say that there are few groups.
 */
const membershipsOf = (computerId: string) => sql`(
  select group_id, is_by_rule from group_computers where computer_id = ${sql.ref(computerId)} offset 0
) as member cross join lateral (select * from groups where groups.id = member.group_id offset 0) as groups`

/** The groups that the computer is a direct member of, as JSON. */
export function groupsOf(computerId: string): RawBuilder<GroupOfComputer[]> {
  return sql<GroupOfComputer[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('groupId', groups.id, 'name', groups.name, 'path', groups.path,
      'assignedToTree', groups.tree, 'isByRule', member.is_by_rule)
      order by lower(groups.name), groups.id), '[]')
    from ${membershipsOf(computerId)} where ${listedGroupKinds})`
}

/** The names of these groups in lower case, by which computers are sorted; null without a group. */
export function groupNamesOf(computerId: string): RawBuilder<string | null> {
  return sql<string | null>`(
    select string_agg(lower(groups.name), ', ' order by lower(groups.name))
    from ${membershipsOf(computerId)} where ${listedGroupKinds})`
}
