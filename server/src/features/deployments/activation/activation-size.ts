import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Configuration } from '../../../platform/configuration.ts'
import type { ActivationBits, ActivationScope } from './activation-scope.ts'

type SizedActivation = ActivationBits & { scope: ActivationScope }

/** Whether an activation is so large that its work is created in slices, after the response. */
export async function needsSlices(
  db: Database,
  activation: SizedActivation,
  { slicedActivationItems }: Pick<Configuration, 'slicedActivationItems'>,
): Promise<boolean> {
  return slicedActivationItems > 0 && (await estimateWorkItems(db, activation)) >= slicedActivationItems
}

/**
 * Estimates the number of work items of an activation: the computers, times the packages that are assigned to any of
 * their groups. It is never too low by much, and costs a fraction of what the activation does.
 */
async function estimateWorkItems(db: Database, { scope, software, pxe }: SizedActivation): Promise<number> {
  const { rows } = await sql<{ computers: number; packages: number }>`
    with scope as materialized (
      ${scope.computers}
    ), reached as materialized (
      select distinct above.ancestor_id as group_id
      from group_ancestors above
      where above.descendant_id in (
        select member.group_id from effective_memberships member
        where member.computer_id in (select owner_id from scope))
    ), assigned as (
      select package_id from group_packages where group_id in (select group_id from reached)
      union
      select covered.package_id
      from group_software_classes class join software_class_packages covered on covered.class_id = class.class_id
      where class.group_id in (select group_id from reached)
    ), wanted as (
      select package_id from assigned
      union select pulled_id from package_pulls where package_id in (select package_id from assigned)
    )
    select (select count(*)::integer from scope) as computers, (select count(*)::integer from wanted) as packages`.execute(
    db,
  )
  const { computers: count, packages } = rows[0] ?? { computers: 0, packages: 0 }
  return count * (software || pxe ? Math.max(1, packages) : 1)
}
