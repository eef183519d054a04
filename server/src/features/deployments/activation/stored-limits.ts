import { type RawBuilder, sql } from 'kysely'
import { isContentOf } from './planned-content.ts'
import { isRemoval, type PlannedRemovals } from './planned-removals.ts'

/**
 * What binds work that is created after its request was answered (`rollouts`, `sliced_activations`): options, groups and
 * packages may have changed since, and nobody has counted or approved that.
 */
export type StoredLimits = {
  /** What it may remove, because it was counted against a quota; null: anything, because the requester had no quota. */
  removals: PlannedRemovals | null
  /** What its computers may get, because it was approved; null: anything that is assigned. */
  approvedContent: readonly string[] | null
}

/** The limits as values of their columns. */
export function toLimitColumns({ removals, approvedContent }: StoredLimits) {
  return {
    removal_computer_ids: removals && [...removals.computerIds],
    removal_package_ids: removals && [...removals.packageIds],
    approved_content: approvedContent && [...approvedContent],
  }
}

/** Whether a row of `due` is within the limits of a request; `stored` selects its row, as what follows `from`. */
export function isWithinLimits(stored: RawBuilder<unknown>): RawBuilder<boolean> {
  // With a cast it is an array; without one, `any` would look for rows.
  const [computerIds, packageIds, lines] = [
    sql`(select removal_computer_ids from ${stored})::integer[]`,
    sql`(select removal_package_ids from ${stored})::uuid[]`,
    sql<string[]>`(select approved_content from ${stored})::text[]`,
  ]
  return sql`
    (not ${isRemoval('due.kind')} or ${computerIds} is null
      or (due.computer_id, due.package_id) in (
        select unnest(removal_computer_ids), unnest(removal_package_ids) from ${stored})
      or ${packageIds} is null and due.computer_id = any(${computerIds}))
    and (${lines} is null or ${isContentOf(lines)})`
}
