import { type RawBuilder, sql } from 'kysely'
import { nearestFirst, reachedAssignments } from '../assignments/effective-assignments.ts'

export type EffectivePmGroup = {
  computer_id: number
  pm_group_id: number
  /** The group that assigns the PM group. */
  group_id: string
  distance: number
  is_test: boolean
  is_emergency: boolean
}

/**
 * The PM groups that computers inherit from their groups and the ancestors of these, one row per computer and PM group.
 * An emergency assignment wins, then the nearest assignment. `computers` may refer to columns of the surrounding query.
 */
export function effectivePmGroups(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectivePmGroup> {
  return sql<EffectivePmGroup>`
    select distinct on (owner_id, object_id) owner_id as computer_id, object_id as pm_group_id, group_id, distance, is_test,
      is_emergency
    from (${reachedAssignments('pmGroup', 'computer', computers)}) as reached
      join pm_group_assignments as assignment (assigned_pm_group_id, assigning_group_id, is_test, is_emergency)
        on assigned_pm_group_id = object_id and assigning_group_id = group_id
    order by owner_id, object_id, is_emergency desc, ${nearestFirst('reached')}`
}

/** Columns of the surrounding query that identify a patch of a product on a computer. */
export type ComputerPatchColumns = { computer: string; patch: string; product: string }

/** Whether an effective PM group of the computer contains the patch, whether or not the patch is released. */
export function isAssignedPatch({ computer, patch, product }: ComputerPatchColumns): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from pm_group_patches listed
      join pm_group_assignments assignment on assignment.pm_group_id = listed.pm_group_id
      join group_ancestors above on above.ancestor_id = assignment.group_id
      join effective_memberships member on member.group_id = above.descendant_id
    where listed.patch_id = ${sql.ref(patch)} and listed.product_id = ${sql.ref(product)}
      and member.computer_id = ${sql.ref(computer)})`
}
