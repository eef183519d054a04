import { type RawBuilder, sql } from 'kysely'
import {
  type AssignmentKind,
  assignmentTables,
  effectiveAssignments,
  nearestFirst,
} from '../../../assignments/effective-assignments.ts'

/** Where assignments of a package are written, and which of the assigned objects are the package. */
type Source = { kind: AssignmentKind; isPackage: RawBuilder<boolean> }

function sourcesOf(packageId: string, packageKind: string): [Source, ...Source[]] {
  const isPackage = sql<boolean>`object_id = ${packageId}`
  switch (packageKind) {
    case 'AgentTemplate':
      return [{ kind: 'agentTemplate', isPackage }]
    case 'LanguagePack':
      return [{ kind: 'languagePack', isPackage }]
    case 'OperatingSystem': {
      const skus = sql`select id from os_image_skus where package_id = ${packageId}`
      return [{ kind: 'osImageSku', isPackage: sql<boolean>`object_id in (${skus})` }]
    }
    case 'PxeBootImage': {
      const images = sql`select id from pxe_boot_images where package_id = ${packageId}`
      return [{ kind: 'pxeBootImage', isPackage: sql<boolean>`object_id in (${images})` }]
    }
    default: {
      const classes = sql`select class_id from software_class_packages where package_id = ${packageId}`
      return [
        { kind: 'package', isPackage },
        { kind: 'softwareClass', isPackage: sql<boolean>`object_id in (${classes})` },
      ]
    }
  }
}

/**
 * The computers that get the package; of a subtree of groups only, if one is given.
 *
 * It goes from the groups to their members, because there are few groups: all places from which a group gets something
 * are put in order once, and each computer takes the first of its places. Where a computer gets only one object, the
 * other objects take part, and those computers count whose first place is the package.
 */
export function assignedComputers(
  packageId: string,
  packageKind: string,
  groupId: string | undefined,
): RawBuilder<{ id: number }> {
  const held = sourcesOf(packageId, packageKind).map(({ kind, isPackage }) => {
    const { table, column, single } = assignmentTables[kind]
    return sql`
      select group_id, ${isPackage} as is_package
      from (select group_id, ${sql.ref(column)} as object_id from ${sql.table(table)}) as assigned
      where ${single ? sql`true` : isPackage}`
  })
  return sql<{ id: number }>`
    with holding as materialized (
      ${sql.join(held, sql` union all `)}
    ), reached as materialized (
      select above.descendant_id as group_id, holding.is_package,
        rank() over (order by above.distance, g.tree <> 'ConfigurationGroups', g.path collate "C", g.id) as place
      from holding
        join groups g on g.id = holding.group_id
        join group_ancestors above on above.ancestor_id = holding.group_id
        join groups own on own.id = above.descendant_id and own.kind <> 'Reinstall'
    ), first_places as (
      select member.computer_id as id, min(reached.place) as place
      from reached join group_computers member on member.group_id = reached.group_id
      where ${groupId ? isBelow(groupId) : sql`true`}
      group by member.computer_id
    )
    select id from first_places where place in (select place from reached where is_package)`
}

/** `is true` keeps the planner from looking up the groups of each member, one by one. */
function isBelow(groupId: string): RawBuilder<unknown> {
  return sql`(member.computer_id in (
    select inside.computer_id
    from group_ancestors above join group_computers inside on inside.group_id = above.descendant_id
    where above.ancestor_id = ${groupId})) is true`
}

/** The group that brings the package to a computer of the query around it. */
export function bringingGroup(
  packageId: string,
  packageKind: string,
  computerId: RawBuilder<number>,
): RawBuilder<{ group_id: string; group_path: string }> {
  const reached = sourcesOf(packageId, packageKind).map(
    ({ kind, isPackage }) => sql`
      select group_id, group_path, distance, in_assignment_tree
      from (${effectiveAssignments(kind, 'computer', sql`select ${computerId} as owner_id`)}) as effective
      where ${isPackage}`,
  )
  return sql<{ group_id: string; group_path: string }>`
    select group_id, group_path from (${sql.join(reached, sql` union all `)}) as reached
    order by ${nearestFirst('reached')} limit 1`
}
