import { type RawBuilder, sql } from 'kysely'
import { nearestFirst, reachedAssignments } from '../assignments/effective-assignments.ts'

export type EffectivePmGroup = {
  computer_id: number
  pm_group_id: number
  /** The group that holds the assignment. */
  group_id: string
  distance: number
  is_test: boolean
  is_emergency: boolean
}

/**
 * The PM groups that computers get through their groups and the groups above, one row for each computer and PM group:
 * an emergency wins, then the nearest assignment. `computers` selects `owner_id`, and may refer to a query around it.
 */
export function effectivePmGroups(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectivePmGroup> {
  return sql<EffectivePmGroup>`
    select distinct on (owner_id, object_id) owner_id as computer_id, object_id as pm_group_id, group_id, distance, is_test,
      is_emergency
    from (${reachedAssignments('pmGroup', 'computer', computers)}) as reached
      join pm_group_assignments as held (held_pm_group_id, held_by_group_id, is_test, is_emergency)
        on held_pm_group_id = object_id and held_by_group_id = group_id
    order by owner_id, object_id, is_emergency desc, ${nearestFirst('reached')}`
}

/** A patch of a product that a computer was found to have or to lack, as columns of a query around. */
export type FoundPatch = { computer: string; patch: string; product: string }

/** Whether one of the computer's PM groups has the patch, released or not. */
export function isAssignedPatch({ computer, patch, product }: FoundPatch): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from pm_group_patches listed
      join pm_group_assignments held on held.pm_group_id = listed.pm_group_id
      join group_ancestors above on above.ancestor_id = held.group_id
      join group_computers member on member.group_id = above.descendant_id
      join groups own on own.id = member.group_id and own.kind <> 'Reinstall'
    where listed.patch_id = ${sql.ref(patch)} and listed.product_id = ${sql.ref(product)}
      and member.computer_id = ${sql.ref(computer)})`
}
