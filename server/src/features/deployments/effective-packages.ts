import { type RawBuilder, sql } from 'kysely'
import { type EffectivePackageOfOwner, effectivePackagesOf } from '../assignments/effective-packages.ts'

export type EffectivePackage = Omit<EffectivePackageOfOwner, 'owner_id'> & { computer_id: number }

/** The effective packages of computers, one row for each computer and package. `computers` selects `owner_id`. */
export function effectivePackages(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectivePackage> {
  return sql<EffectivePackage>`
    select owner_id as computer_id, package_id, group_id, group_path, distance, in_assignment_tree, class_id
    from (${effectivePackagesOf('computer', computers)}) as of_computers`
}
