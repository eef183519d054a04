import { type RawBuilder, sql } from 'kysely'

/**
 * What is effective for a computer or a group follows from one rule, and every reader uses this file for it.
 *
 * **Reach.** A computer reaches the groups that it is a member of and all their ancestors. A group reaches itself and
 * all its ancestors. An assignment is within reach when its group is. The view `effective_memberships` leaves out reinstall
 * groups: a pending reinstall must not bring the assignments of the ancestors of that group to the computer.
 *
 * **Precedence.** Among the assignments within reach, the one that comes first in this order wins:
 *   1. the smallest distance: the number of levels from the membership group (or from the group itself, for groups) up
 *      to the group that has the assignment; 0 is a direct assignment,
 *   2. the configuration tree before the assignment tree,
 *   3. the path of the group, compared byte by byte,
 *   4. the id of the group, which only makes the order total.
 *
 * **What competes.** Of a `single` kind only one object can be effective, so all assignments of that kind compete. Of
 * the other kinds every object within reach is effective; only assignments of the same object compete, and they decide
 * which group it comes from.
 */
export const assignmentTables = {
  package: { table: 'group_packages', column: 'package_id', single: false },
  languagePack: { table: 'group_language_packs', column: 'package_id', single: false },
  softwareClass: { table: 'group_software_classes', column: 'class_id', single: false },
  variableConfiguration: { table: 'group_variable_configurations', column: 'configuration_id', single: false },
  agentTemplate: { table: 'group_agent_templates', column: 'package_id', single: true },
  osImageSku: { table: 'group_os_image_skus', column: 'sku_id', single: true },
  pxeBootImage: { table: 'group_pxe_boot_images', column: 'image_id', single: true },
  pmGroup: { table: 'pm_group_assignments', column: 'pm_group_id', single: false },
  patchPolicy: { table: 'patch_policy_assignments', column: 'policy_id', single: false },
} as const

export type AssignmentKind = keyof typeof assignmentTables

/** Those who get assignments. Ids of computers are numbers, ids of groups are UUIDs. */
export type AssignmentOwnerKind = 'computer' | 'group'

/** A query for the owners to resolve. It may refer to columns of the statement that contains it. */
export type OwnerQuery = RawBuilder<{ owner_id: number | string }>

export type EffectiveAssignment = {
  owner_id: number | string
  /** The package, edition (SKU), boot image, software class, variable configuration, PM group or patch policy. */
  object_id: number | string
  /** The group that assigns the object. */
  group_id: string
  group_path: string
  /** Levels from the owner's own group up to the group that assigns the object. */
  distance: number
  in_assignment_tree: boolean
}

export type ReachedAssignment = EffectiveAssignment & {
  /** The group through which the owner reaches the assignment: one that it is a member of, or the group itself. */
  member_group_id: string
}

/** Selects one computer as the owner. */
export function computerAsOwner(computerId: number): OwnerQuery {
  return sql`select ${computerId}::integer as owner_id`
}

/** Selects one group as the owner. */
export function groupAsOwner(groupId: string): OwnerQuery {
  return sql`select ${groupId}::uuid as owner_id`
}

/**
 * The winning assignments: at most one row per owner for a `single` kind, otherwise one row per owner and object. An
 * owner that reaches no assignment has no row.
 */
export function effectiveAssignments(
  kind: AssignmentKind,
  ownerKind: AssignmentOwnerKind,
  owners: OwnerQuery,
): RawBuilder<EffectiveAssignment> {
  const competing = assignmentTables[kind].single ? sql`owner_id` : sql`owner_id, object_id`
  return sql<EffectiveAssignment>`
    select distinct on (${competing}) owner_id, object_id, group_id, group_path, distance, in_assignment_tree
    from (${reachedAssignments(kind, ownerKind, owners)}) as reached
    order by ${competing}, ${nearestFirst('reached')}`
}

/**
 * All assignments within reach, before any of them wins. An owner reaches an assignment several times when several of
 * its groups have the same ancestor.
 */
export function reachedAssignments(
  kind: AssignmentKind,
  ownerKind: AssignmentOwnerKind,
  owners: OwnerQuery,
): RawBuilder<ReachedAssignment> {
  const { table, column } = assignmentTables[kind]
  const isComputer = ownerKind === 'computer'
  const memberGroup = sql.ref(isComputer ? 'membership.group_id' : 'owner.owner_id')
  return sql<ReachedAssignment>`
    select owner.owner_id, assignment.${sql.ref(column)} as object_id, ancestor.id as group_id,
      ancestor.path as group_path, ancestry.distance, ${isInAssignmentTree('ancestor')} as in_assignment_tree,
      ${memberGroup} as member_group_id
    from (${owners}) as owner
      ${isComputer ? sql`join effective_memberships membership on membership.computer_id = owner.owner_id` : sql``}
      join group_ancestors ancestry on ancestry.descendant_id = ${memberGroup}
      join ${sql.table(table)} assignment on assignment.group_id = ancestry.ancestor_id
      join groups ancestor on ancestor.id = ancestry.ancestor_id`
}

/**
 * The precedence of assignments as the end of an `order by`. The alias names a relation with the columns `distance`,
 * `in_assignment_tree`, `group_path` and `group_id`.
 */
export function nearestFirst(alias: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`${column('distance')}, ${column('in_assignment_tree')}, ${column('group_path')} collate "C",
    ${column('group_id')}`
}

/** The second rule of precedence; the alias names a row of `groups`. */
export function isInAssignmentTree(group: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${group}.tree`)} <> 'ConfigurationGroups')`
}
