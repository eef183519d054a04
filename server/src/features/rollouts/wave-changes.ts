import { type RawBuilder, sql } from 'kysely'
import { dueLine } from '../deployments/activation/planned-content.ts'

const epochOf = (column: string) => sql`extract(epoch from ${sql.ref(column)})`

/**
 * A hash of what a row of `due` with its package `p` does, and of the options with which it is done. A kind that is null counts
 * as well: waiting work then ends.
 */
export const changeHash = sql<string>`encode(sha256(convert_to(jsonb_build_array(
  due.package_id, due.kind, encode(p.content_hash, 'hex'), due.group_id, due.commands, due.schedule, due.revoke_count,
  ${epochOf('due.revoke_date')}, ${epochOf('due.optional_date')}, due.user_deadline)::text, 'UTF8')), 'hex')`

/**
 * Whether a wave, given by its alias, brings the row of `due` with its package `p`: exactly as the comparison found it that began
 * the wave. What was changed since then passes the rings of its own wave.
 */
export function bringsChange(wave: string): RawBuilder<boolean> {
  const [changes, lines] = [sql.ref(`${wave}.wave_changes`), sql.ref(`${wave}.approved_content`)]
  return sql<boolean>`case when ${changes} is null then ${dueLine} = any(${lines}) else ${changeHash} = any(${changes}) end`
}

/** With a cast it is an array; without one, `any` would look for rows. */
const changesOf = (rolloutId: string) => sql<string[]>`(select wave_changes from rollouts where id = ${rolloutId})::text[]`

/** Whether the wave with this id brings the row of `due`, or is of an earlier version of the service. */
export function isChangeOf(rolloutId: string): RawBuilder<boolean> {
  const changes = changesOf(rolloutId)
  return sql<boolean>`(${changes} is null or exists (
    select from packages p where p.id = due.package_id and ${changeHash} = any(${changes})))`
}

/** The same for the fix package of a row of `fixes`. */
export function isFixOf(rolloutId: string): RawBuilder<boolean> {
  const changes = changesOf(rolloutId)
  return sql<boolean>`(${changes} is null or fixes.package_id::text = any(${changes}))`
}
