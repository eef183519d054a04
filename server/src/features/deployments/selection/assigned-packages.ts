import { type RawBuilder, sql } from 'kysely'
import { type EffectivePackage, effectivePackages } from '../../assignments/effective-packages.ts'
import type { ActivationScope } from '../activation/activation-scope.ts'

/** What a request about a package and selected computers names. */
export type PackageSelection = { computerIds: readonly number[]; packageId: string }

/** The nearest assignment of the package, one row for each of the computers that have one. */
export function assignmentsOfSelection({ computerIds, packageId }: PackageSelection): RawBuilder<EffectivePackage> {
  return sql`
    select * from (${effectivePackages(selectedComputers(computerIds))}) as effective where package_id = ${packageId}`
}

/**
 * The computers, with the groups through which the package comes to them: what else their groups assign waits for its own
 * activation.
 */
export function packageScope(selection: PackageSelection): ActivationScope {
  return {
    computers: selectedComputers(selection.computerIds),
    memberships: sql`
      select member.computer_id, member.group_id
      from (${assignmentsOfSelection(selection)}) as assigned
        join effective_memberships member on member.computer_id = assigned.computer_id
        join group_ancestors above on above.descendant_id = member.group_id and above.ancestor_id = assigned.group_id`,
    isGlobal: false,
    groupId: null,
  }
}

const selectedComputers = (ids: readonly number[]) =>
  sql<{ owner_id: number }>`select id as owner_id from computers where id = any(${ids}::integer[])`
