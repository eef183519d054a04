import { type RawBuilder, sql } from 'kysely'
import { type AssignmentKind, assignmentTables, isInAssignmentTree } from './effective-assignments.ts'

export type RankedAssignment = {
  /** A group that the assignment reaches: the group that has it, or one below. */
  group_id: string
  object_id: number | string
  /** The place of the assignment in the order of precedence, among those of all groups. */
  rank: number
}

/**
 * The assignments of a kind, by the groups that they reach. The lowest rank of all its groups wins for a computer. For
 * many computers this is cheaper than `effectiveAssignments`, because there are few groups. `reached` selects the groups
 * that matter, unless all do.
 */
export function rankedAssignments(
  kind: AssignmentKind,
  reached?: RawBuilder<{ group_id: string }>,
): RawBuilder<RankedAssignment> {
  const { table, column } = assignmentTables[kind]
  return sql<RankedAssignment>`
    select ancestry.descendant_id as group_id, assignment.${sql.ref(column)} as object_id,
      rank() over (
        order by ancestry.distance, ${isInAssignmentTree('assigning')}, assigning.path collate "C", assigning.id
      ) as rank
    from ${sql.table(table)} assignment
      join groups assigning on assigning.id = assignment.group_id
      join group_ancestors ancestry on ancestry.ancestor_id = assignment.group_id
    ${reached ? sql`where ancestry.descendant_id in (${reached})` : sql``}`
}
