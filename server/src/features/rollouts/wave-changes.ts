import { type RawBuilder, sql } from 'kysely'
import type { Rollout } from './rollout-record.ts'
import { changedAt, wasTried } from './untried-work.ts'

const epochOf = (column: string) => sql`extract(epoch from ${sql.ref(column)})`

/**
 * A hash of what a row of `due` with its package `p` does, and of the options with which it is done. A kind that is null counts
 * as well: waiting work then ends. A wave brings exactly the rows that the comparison found which began it. What was changed since then
 * passes the rings of its own wave.
 */
export const changeHash = sql<string>`encode(sha256(convert_to((jsonb_build_array(
  due.package_id, due.kind, encode(p.content_hash, 'hex'), due.group_id, due.commands, due.schedule, due.revoke_count,
  ${epochOf('due.revoke_date')}, ${epochOf('due.optional_date')}, due.user_deadline)
  -- Waves of an earlier version of the service do not have it.
  || case when due.pre_download then '[true]'::jsonb else '[]' end)::text, 'UTF8')), 'hex')`

/** With a cast it is an array; without one, `any` would look for rows. */
const changesOf = (rolloutId: string) =>
  sql<string[]>`(select wave_changes from rollouts where id = ${rolloutId})::text[]`

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

/** Selects what waves of the group will bring to computers that wait in them: a computer and a change in each row. */
const waitingChanges = (ownerId: string, condition: RawBuilder<boolean>) => sql<{
  computer_id: number
  change: string
}>`
  select placed.computer_id, change, wave.created_at
  from rollouts wave
    join rollout_computers placed on placed.rollout_id = wave.id and placed.state = 'Waiting'
    cross join unnest(wave.wave_changes) as change
  where wave.is_wave and wave.group_id = ${ownerId} and ${condition}`

const isOpen = sql<boolean>`wave.ended_at is null and wave.state <> 'Cancelled'`
const isCancelled = sql<boolean>`wave.state = 'Cancelled'`

/**
 * Builds parts of a `with` clause: `open_changes`, which waves will bring, and `cancelled_changes`, which they would have brought if a
 * person had not cancelled them at `cancelled_at` or later. Each has a computer and a change. As sets, because a comparison looks at
 * many thousand rows.
 */
export const changesOfWavesCtes = (ownerId: string) => sql`
  open_changes as materialized (
    select distinct computer_id, change from (${waitingChanges(ownerId, isOpen)}) as waiting
  ), cancelled_changes as materialized (
    select computer_id, change, max(created_at) as cancelled_at
    from (${waitingChanges(ownerId, isCancelled)}) as waiting group by computer_id, change
  )`

/** Whether a row of `due` that has its `change` is left to another wave; after a join with the parts above. */
export const isLeftToOthers = (ownerId: string) => sql<boolean>`(
  open_changes.change is not null
  or case when cancelled_changes.change is null then false else cancelled_changes.cancelled_at >= ${changedAt(ownerId)} end)`

export const joinChangesOfWaves = sql`
  left join open_changes on open_changes.computer_id = due.computer_id and open_changes.change = due.change
  left join cancelled_changes on cancelled_changes.computer_id = due.computer_id and cancelled_changes.change = due.change`

/**
 * Whether a wave may still create a row of `due` for some computers: between its comparison and their release, a person may have
 * activated, cancelled or uninstalled something. It does not create what an earlier wave will.
 */
export function isUntried(
  { groupId, id, createdAt }: Pick<Rollout, 'groupId' | 'id' | 'createdAt'>,
  computers: readonly number[],
): RawBuilder<boolean> {
  const isOfComputers = sql<boolean>`placed.computer_id = any(${computers}::integer[])`
  const earlier = waitingChanges(groupId, sql`${isOfComputers} and ${isOpen} and wave.created_at < ${createdAt}`)
  const cancelled = waitingChanges(groupId, sql`${isOfComputers} and ${isCancelled} and wave.id <> ${id}`)
  // Both sets depend on nothing but the statement: PostgreSQL makes a hash table of each.
  return sql<boolean>`(not ${wasTried(groupId)} and not exists (
    select from packages p, lateral (select ${changeHash} as change) as own
    where p.id = due.package_id and (
      (due.computer_id, own.change) in (select computer_id, change from (${earlier}) as earlier)
      or case when (due.computer_id, own.change) in (select computer_id, change from (${cancelled}) as cancelled)
        then (
          select max(created_at) from (${cancelled}) as cancelled
          where cancelled.computer_id = due.computer_id and cancelled.change = own.change
        ) >= ${changedAt(groupId)} else false end)))`
}
