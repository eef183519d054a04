import { type RawBuilder, sql } from 'kysely'

/** What can be assigned to groups, and where that is written. Of some kinds a computer gets only one object. */
export const assignmentTables = {
  package: { table: 'group_packages', column: 'package_id', single: false },
  languagePack: { table: 'group_language_packs', column: 'package_id', single: false },
  softwareClass: { table: 'group_software_classes', column: 'class_id', single: false },
  variableConfiguration: { table: 'group_variable_configurations', column: 'configuration_id', single: false },
  agentTemplate: { table: 'group_agent_templates', column: 'package_id', single: true },
  osImageSku: { table: 'group_os_image_skus', column: 'sku_id', single: true },
  pxeBootImage: { table: 'group_pxe_boot_images', column: 'image_id', single: true },
  pmGroup: { table: 'pm_group_assignments', column: 'pm_group_id', single: false },
} as const

export type AssignmentKind = keyof typeof assignmentTables

export type EffectiveAssignment = {
  owner_id: number | string
  /** The package, SKU, image, class, configuration or PM group. */
  object_id: number | string
  /** The group that holds the assignment. */
  group_id: string
  group_path: string
  distance: number
  /** True outside the configuration tree, which goes first at the same distance. */
  is_later: boolean
}

/**
 * What the owners get through their groups and the ancestors of those: one row for each object, or one row in all where
 * only one object can hold. `owners` selects `owner_id`, of computers or of groups, and may refer to a query around it.
 *
 * The assignment of the nearest group wins; at the same distance that of the configuration tree, then that of the first
 * path.
 */
export function effectiveAssignments(
  kind: AssignmentKind,
  owner: 'computer' | 'group',
  owners: RawBuilder<unknown>,
): RawBuilder<EffectiveAssignment> {
  const winners = assignmentTables[kind].single ? sql`owner_id` : sql`owner_id, object_id`
  return sql<EffectiveAssignment>`
    select distinct on (${winners}) owner_id, object_id, group_id, group_path, distance, is_later
    from (${reachedAssignments(kind, owner, owners)}) as reached
    order by ${winners}, ${nearestFirst}`
}

/** Which of several assignments wins, where rows have the columns of this file. */
export const nearestFirst = sql`distance, is_later, group_path collate "C", group_id`

/** All assignments within reach of the owners, also those that do not win. An owner may reach one in several ways. */
export function reachedAssignments(
  kind: AssignmentKind,
  owner: 'computer' | 'group',
  owners: RawBuilder<unknown>,
): RawBuilder<EffectiveAssignment> {
  const { table, column } = assignmentTables[kind]
  return sql`
    select asked.owner_id, assigned.${sql.ref(column)} as object_id, g.id as group_id, g.path as group_path,
      above.distance, (g.tree <> 'ConfigurationGroups') as is_later
    from (${owners}) as asked
      ${owner === 'computer' ? memberships : sql``}
      join group_ancestors above
        on above.descendant_id = ${sql.ref(owner === 'computer' ? 'member.group_id' : 'asked.owner_id')}
      join ${sql.table(table)} assigned on assigned.group_id = above.ancestor_id
      join groups g on g.id = above.ancestor_id`
}

/** Joins `asked` with the groups of its computers. Membership in the group of a pending reinstall brings nothing nearer. */
export const memberships = sql`
  join group_computers member on member.computer_id = asked.owner_id
  join groups own on own.id = member.group_id and own.kind <> 'Reinstall'`
