import { type RawBuilder, sql } from 'kysely'
import { type AssignmentOwnerKind, nearestFirst, type OwnerQuery, reachedAssignments } from './effective-assignments.ts'

export type EffectivePackageOfOwner = {
  owner_id: number | string
  package_id: string
  /** The group with the assignment of the package or of a software class that contains it. */
  group_id: string
  group_path: string
  distance: number
  in_assignment_tree: boolean
  /** The class with the smallest id that contains the package; null if the package itself is assigned. */
  class_id: number | null
}

/**
 * The packages that computers or groups have through their groups and the groups above, one row for each owner and
 * package. The nearest assignment wins; within one group, that of the package itself.
 */
export function effectivePackagesOf(
  ownerKind: AssignmentOwnerKind,
  owners: OwnerQuery,
): RawBuilder<EffectivePackageOfOwner> {
  return sql<EffectivePackageOfOwner>`
    select distinct on (owner_id, package_id) owner_id, package_id, group_id, group_path, distance,
      in_assignment_tree, class_id
    from (
      select owner_id, object_id as package_id, group_id, group_path, distance, in_assignment_tree,
        null::integer as class_id
      from (${reachedAssignments('package', ownerKind, owners)}) as direct
      union all
      select owner_id, covered.package_id, group_id, group_path, distance, in_assignment_tree, covered.class_id
      from (${reachedAssignments('softwareClass', ownerKind, owners)}) as classes
        join software_class_packages covered on covered.class_id = classes.object_id
    ) as reached
    order by owner_id, package_id, ${nearestFirst('reached')}, class_id nulls first`
}

export type EffectivePackage = Omit<EffectivePackageOfOwner, 'owner_id'> & { computer_id: number }

/** The same of computers, one row for each computer and package. `computers` selects `owner_id`. */
export function effectivePackages(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectivePackage> {
  return sql<EffectivePackage>`
    select owner_id as computer_id, package_id, group_id, group_path, distance, in_assignment_tree, class_id
    from (${effectivePackagesOf('computer', computers)}) as of_computers`
}
