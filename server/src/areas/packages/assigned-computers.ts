import { type RawBuilder, sql } from 'kysely'
import {
  type AssignmentKind,
  effectiveAssignments,
  nearestFirst,
} from '../../domain/assignments/effective-assignments.ts'

export type AssignedComputer = { owner_id: number; group_id: string; group_path: string }

/** Where assignments of a package are written, and which of the assigned objects are the package. */
type Source = { kind: AssignmentKind; holders: RawBuilder<unknown>; isPackage: RawBuilder<boolean> }

/** The computers that get the package, with the group that brings it; of a subtree of groups only, if one is given. */
export function assignedComputers(
  packageId: string,
  packageKind: string,
  groupId: string | undefined,
): RawBuilder<AssignedComputer> {
  const reached = sourcesOf(packageId, packageKind).map(
    ({ kind, holders, isPackage }) => sql`
      select owner_id, group_id, group_path, distance, is_later
      from (${effectiveAssignments(kind, 'computer', membersBelow(holders, groupId))}) as effective
      where ${isPackage}`,
  )
  return sql<AssignedComputer>`
    select distinct on (owner_id) owner_id, group_id, group_path from (${sql.join(reached, sql` union all `)}) as reached
    order by owner_id, ${nearestFirst}`
}

function sourcesOf(packageId: string, packageKind: string): Source[] {
  const isPackage = sql<boolean>`object_id = ${packageId}`
  switch (packageKind) {
    case 'AgentTemplate':
      return [
        {
          kind: 'agentTemplate',
          holders: sql`select group_id from group_agent_templates where package_id = ${packageId}`,
          isPackage,
        },
      ]
    case 'LanguagePack':
      return [
        {
          kind: 'languagePack',
          holders: sql`select group_id from group_language_packs where package_id = ${packageId}`,
          isPackage,
        },
      ]
    case 'OperatingSystem': {
      const skus = sql`select id from os_image_skus where package_id = ${packageId}`
      return [
        {
          kind: 'osImageSku',
          holders: sql`select group_id from group_os_image_skus where sku_id in (${skus})`,
          isPackage: sql<boolean>`object_id in (${skus})`,
        },
      ]
    }
    case 'PxeBootImage': {
      const images = sql`select id from pxe_boot_images where package_id = ${packageId}`
      return [
        {
          kind: 'pxeBootImage',
          holders: sql`select group_id from group_pxe_boot_images where image_id in (${images})`,
          isPackage: sql<boolean>`object_id in (${images})`,
        },
      ]
    }
    default: {
      const classes = sql`select class_id from software_class_packages where package_id = ${packageId}`
      return [
        {
          kind: 'package',
          holders: sql`select group_id from group_packages where package_id = ${packageId}`,
          isPackage,
        },
        {
          kind: 'softwareClass',
          holders: sql`select group_id from group_software_classes where class_id in (${classes})`,
          isPackage: sql<boolean>`object_id in (${classes})`,
        },
      ]
    }
  }
}

/** The computers in the groups below the holders: nobody else can get anything from them. */
function membersBelow(holders: RawBuilder<unknown>, groupId: string | undefined): RawBuilder<unknown> {
  const members = (groups: RawBuilder<unknown>) => sql`
    select member.computer_id
    from group_ancestors above join group_computers member on member.group_id = above.descendant_id
    where above.ancestor_id in (${groups})`
  return sql`
    select id as owner_id from computers
    where id in (${members(holders)}) ${groupId ? sql`and id in (${members(sql`select ${groupId}::uuid`)})` : sql``}`
}
