import { type RawBuilder, sql } from 'kysely'
import { nearestFirst, reachedAssignments } from '../assignments/effective-assignments.ts'

export type EffectivePackage = {
  computer_id: number
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
 * The packages that are assigned to computers through their groups and the groups above, one row for each computer and
 * package. The nearest assignment wins; within one group, that of the package itself. `computers` selects `owner_id`.
 */
export function effectivePackages(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectivePackage> {
  return sql<EffectivePackage>`
    select distinct on (owner_id, package_id) owner_id as computer_id, package_id, group_id, group_path, distance,
      in_assignment_tree, class_id
    from (
      select owner_id, object_id as package_id, group_id, group_path, distance, in_assignment_tree,
        null::integer as class_id
      from (${reachedAssignments('package', 'computer', computers)}) as direct
      union all
      select owner_id, covered.package_id, group_id, group_path, distance, in_assignment_tree, covered.class_id
      from (${reachedAssignments('softwareClass', 'computer', computers)}) as classes
        join software_class_packages covered on covered.class_id = classes.object_id
    ) as reached
    order by owner_id, package_id, ${nearestFirst('reached')}, class_id nulls first`
}
