import { type RawBuilder, sql } from 'kysely'
import { assignmentTables, effectiveAssignments, nearestFirst } from './effective-assignments.ts'
import { packageAssignmentsOf } from './package-assignments.ts'

/**
 * The computers to which the package is assigned; with `groupId`, only those in the group and in the groups below it.
 *
 * The query goes from groups to members because there are few groups. It ranks all assignments that reach a group once,
 * and each computer takes the first of its ranks. If only one object of the kind is effective for a computer, the other
 * objects are ranked too, and a computer counts if its first rank is an assignment of the package.
 */
export function assignedComputers(
  packageId: string,
  packageKind: string,
  groupId: string | undefined,
): RawBuilder<{ id: number }> {
  const assignments = packageAssignmentsOf(packageId, packageKind).map(({ kind, isPackage }) => {
    const { table, column, single } = assignmentTables[kind]
    return sql`
      select group_id, ${isPackage} as is_package
      from (select group_id, ${sql.ref(column)} as object_id from ${sql.table(table)}) as assigned
      where ${single ? sql`true` : isPackage}`
  })
  return sql<{ id: number }>`
    with assignment as materialized (
      ${sql.join(assignments, sql` union all `)}
    ), reached as materialized (
      select above.descendant_id as group_id, assignment.is_package,
        rank() over (order by above.distance, g.tree <> 'ConfigurationGroups', g.path collate "C", g.id) as rank
      from assignment
        join groups g on g.id = assignment.group_id
        join group_ancestors above on above.ancestor_id = assignment.group_id
        join permanent_groups own on own.id = above.descendant_id
    ), first_ranks as (
      select member.computer_id as id, min(reached.rank) as rank
      from reached join group_computers member on member.group_id = reached.group_id
      where ${groupId ? isBelow(groupId, 'member.computer_id') : sql`true`}
      group by member.computer_id
    )
    select id from first_ranks where rank in (select rank from reached where is_package)`
}

/** Whether a computer is in the group or below it. `is true` keeps the planner from testing each member one by one. */
function isBelow(groupId: string, computerId: string): RawBuilder<boolean> {
  return sql`(${sql.ref(computerId)} in (
    select inside.computer_id
    from group_ancestors above join group_computers inside on inside.group_id = above.descendant_id
    where above.ancestor_id = ${groupId})) is true`
}

/** The group whose assignment of the package is effective for a computer; `computerId` refers to the outer query. */
export function assigningGroup(
  packageId: string,
  packageKind: string,
  computerId: RawBuilder<number>,
): RawBuilder<{ group_id: string; group_path: string }> {
  const reached = packageAssignmentsOf(packageId, packageKind).map(
    ({ kind, isPackage }) => sql`
      select group_id, group_path, distance, in_assignment_tree
      from (${effectiveAssignments(kind, 'computer', sql`select ${computerId} as owner_id`)}) as effective
      where ${isPackage}`,
  )
  return sql<{ group_id: string; group_path: string }>`
    select group_id, group_path from (${sql.join(reached, sql` union all `)}) as reached
    order by ${nearestFirst('reached')} limit 1`
}
