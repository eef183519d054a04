import { type RawBuilder, sql } from 'kysely'

/** The condition that a row of `groups` is shown as a group of its members, as listComputerGroups does. */
export const listedGroupKinds = sql<boolean>`groups.kind in ('System', 'Ordinary')`

type GroupOfComputer = { groupId: string; name: string; path: string; assignedToTree: string; isByRule: boolean }

/** The groups that the computer is a direct member of, as JSON. */
export function groupsOf(computerId: string): RawBuilder<GroupOfComputer[]> {
  return sql<GroupOfComputer[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('groupId', groups.id, 'name', groups.name, 'path', groups.path,
      'assignedToTree', groups.tree, 'isByRule', member.is_by_rule)
      order by lower(groups.name), groups.id), '[]')
    from group_computers member join groups on groups.id = member.group_id and ${listedGroupKinds}
    where member.computer_id = ${sql.ref(computerId)})`
}

/** The names of these groups in lower case, by which computers are sorted; null without a group. */
export function groupNamesOf(computerId: string): RawBuilder<string | null> {
  return sql<string | null>`(
    select string_agg(lower(groups.name), ', ' order by lower(groups.name))
    from group_computers member join groups on groups.id = member.group_id and ${listedGroupKinds}
    where member.computer_id = ${sql.ref(computerId)})`
}
