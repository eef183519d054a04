import { type RawBuilder, sql } from 'kysely'
import type { RolloutWork } from './publication.ts'

/** The rollout that releases computers; `any`: as if all of them had. */
export type Releaser = RolloutWork | 'any'

/**
 * Selects what computers get from the ring that they wait for in an upgrade or a rollback, and from nothing else: otherwise an
 * activation during the first ring would bring it to all of them. Looks at the packages of `offered` and those that they may bring,
 * which `brought` adds to a selection.
 */
export function waitingForRing(
  brought: RawBuilder<unknown>,
  releasedBy: Releaser | undefined,
): RawBuilder<{ computer_id: number; package_id: string }> {
  return sql`
      select placed.computer_id, upgrading.package_id
      from rollouts upgrading
        join rollout_computers placed on placed.rollout_id = upgrading.id and placed.state = 'Waiting'
      where upgrading.upgrade_id is not null and upgrading.ended_at is null and upgrading.state <> 'Cancelled'
        and upgrading.package_id in (select package_id from offered ${brought})
        and placed.computer_id in (select computer_id from member)
        and ${releasedBy === 'any' ? sql`false` : sql`upgrading.id is distinct from ${releasedBy?.id ?? null}::uuid`}`
}

/** Whether a computer waits for a package, each given by a column. What waits brings nothing else and takes no other's place. */
export function isWaitingForRing(computer: string, ofPackage: string): RawBuilder<boolean> {
  return sql`((${sql.ref(computer)}, ${sql.ref(ofPackage)}) in (select computer_id, package_id from waiting_for_ring))`
}

/** The version that a rollback uninstalls, if the releaser is one. */
export function rolledBackBy(releasedBy: Releaser | undefined): string | null {
  return releasedBy === undefined || releasedBy === 'any' ? null : (releasedBy.rolledBackPackageId ?? null)
}
