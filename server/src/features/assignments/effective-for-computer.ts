import { sql } from 'kysely'
import {
  type AssignmentKind,
  computerAsOwner,
  type EffectiveAssignment,
  effectiveAssignments,
} from './effective-assignments.ts'

/** What is effective for one computer, as a relation named `effective` to join the objects with. */
export function effectiveForComputer(kind: AssignmentKind, computerId: number) {
  const assignments = effectiveAssignments(kind, 'computer', computerAsOwner(computerId))
  return sql<EffectiveAssignment>`(${assignments})`.as('effective')
}

/** The group that assigns the effective object, as the API shows it. Needs a join with `effectiveForComputer`. */
export const assigningGroupColumns = [
  'effective.group_id as assignedGroupId',
  'effective.group_path as assignedGroupPath',
] as const
