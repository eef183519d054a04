import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** When a scheduled OU last took effect for a row of `computers`: its own one, or one of a group above it. */
const lastScheduledOu = sql<Date | null>`greatest(
  (select effective_from from computer_variables
    where computer_id = computers.id and variable_id = (select ou_variable_id()) and effective_from <= now()),
  (with scheduled as materialized (select group_id, changed_at from scheduled_ou_groups)
    select max(scheduled.changed_at)
    from scheduled join group_ancestors above on above.ancestor_id = scheduled.group_id
    where above.descendant_id = any (array(
      select group_id from group_computers where group_computers.computer_id = computers.id))))`

/**
 * When the API last changed what it shows of a row of `computers`. Triggers record changes of properties that other
 * tables determine, such as the effective OU. A scheduled OU takes effect without a write.
 */
export const lastModified = sql<Date>`greatest(
  computers.modified_at,
  (select max(changed_at) from computer_changes where computer_changes.computer_id = computers.id),
  ${lastScheduledOu})`

/** Selects the ids of the computers that were changed at this time or later. May include deleted computers. */
export function computerIdsModifiedAfter(time: Date): RawBuilder<number> {
  return sql<number>`(
    select id from computers where modified_at >= ${time}
    union
    select computer_id from computer_changes where changed_at >= ${time}
    union
    select computer_id from scheduled_ou_changes where changed_at >= ${time})`
}

/** Deletes all but the newest change of each computer, and those of deleted computers. Returns their number. */
export async function purgeComputerChanges(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from computer_changes old
    where exists (
        select from computer_changes newer
        where newer.computer_id = old.computer_id and (newer.changed_at, newer.id) > (old.changed_at, old.id))
      or not exists (select from computers where computers.id = old.computer_id)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
