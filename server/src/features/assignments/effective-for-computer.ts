import { sql } from 'kysely'
import { type AssignmentKind, type EffectiveAssignment, effectiveAssignments } from './effective-assignments.ts'

/** What is effective for the computer, as a table to join the objects with. */
export function effectiveFor(kind: AssignmentKind, computerId: number) {
  const computer = sql`select ${computerId}::integer as owner_id`
  return sql<EffectiveAssignment>`(${effectiveAssignments(kind, 'computer', computer)})`.as('effective')
}

export const winningGroup = [
  'effective.group_id as assignedGroupId',
  'effective.group_path as assignedGroupPath',
] as const
