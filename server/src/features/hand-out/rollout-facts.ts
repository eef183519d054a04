import { type RawBuilder, sql } from 'kysely'
import { findWindow, knownTimeZone, type MaintenanceWindow, type WindowDecision } from './rollout-windows.ts'

/** What a rollout decides about the hand-out of its work. All are null for work without a rollout. */
export type RolloutFactsOfWork = {
  rollout_state: 'Running' | 'Paused' | 'CatchingUp' | 'Completed' | 'Cancelled' | null
  /** Those of the ring; null also if the rollout is an emergency. */
  rollout_windows: MaintenanceWindow[] | null
  /** That of the rollout, otherwise the one that the computer has reported. */
  rollout_time_zone: string | null
  rollout_deadline: Date | null
  time_limit_minutes: number | null
}

/** The time limit of a command that its manifest does not give. */
const defaultLimitMinutes = 60

/** Joins the rollout of the work `w`, if it has one, as `rollout`. */
export const joinRollout: RawBuilder<unknown> = sql`
  left join lateral (
    select found.state, case when not found.is_emergency then ring.windows end as windows,
      coalesce(found.time_zone, system_records.time_zone) as time_zone, found.deadline_at, found.user_deadline
    from rollouts found
      join rollout_computers placed on placed.rollout_id = found.id and placed.computer_id = w.computer_id
      join rollout_rings ring on ring.rollout_id = found.id and ring.ring = placed.ring
      left join system_records on system_records.computer_id = w.computer_id
    where found.id = w.rollout_id
  ) as rollout on true`

const limitOf = (command: string): RawBuilder<number | null> => sql<number | null>`
  case when p.manifest #> ${sql.lit(`{commands,${command}}`)} is not null
    then coalesce((p.manifest #>> ${sql.lit(`{commands,${command},timeLimitMinutes}`)})::integer, ${sql.lit(defaultLimitMinutes)})
  end`

const fallback = sql.lit(defaultLimitMinutes)

/** How long the commands of the work `w` may take. */
const timeLimit: RawBuilder<number | null> = sql<number | null>`
  case
    when rollout.state is null then null
    when w.kind = 'Uninstall' then coalesce(${limitOf('uninstall')}, ${fallback})
    when w.kind = 'Update' then coalesce(${limitOf('update')}, ${limitOf('install')}, ${fallback})
    when w.kind = 'Reinstall' then coalesce(${limitOf('install')}, ${fallback}) + coalesce(${limitOf('uninstall')}, 0)
    else coalesce(${limitOf('install')}, ${fallback})
  end`

/** The columns of `RolloutFactsOfWork`. */
export const rolloutFactColumns: RawBuilder<RolloutFactsOfWork> = sql`
  rollout.state as rollout_state, rollout.windows as rollout_windows, rollout.time_zone as rollout_time_zone,
  rollout.deadline_at as rollout_deadline, ${timeLimit} as time_limit_minutes`

/** Whether the maintenance windows of the rollout allow the work at a time. After the deadline, they always do. */
export function rolloutWindowOf(item: RolloutFactsOfWork, at: Date): WindowDecision {
  const { rollout_windows, rollout_time_zone, rollout_deadline: deadline } = item
  if (!rollout_windows || (deadline && deadline <= at)) return { isOpen: true, closesAt: null }
  const limitMinutes = item.time_limit_minutes ?? defaultLimitMinutes
  const found = findWindow(rollout_windows, { timeZone: knownTimeZone(rollout_time_zone), at, limitMinutes })
  if (found.isOpen || !deadline) return found
  return { isOpen: false, opensAt: found.opensAt && found.opensAt < deadline ? found.opensAt : deadline }
}

export type TimedItem = RolloutFactsOfWork & { now: Date }

/** The last time at which a leased item may start; null: any time. */
export function latestStartOf(item: TimedItem): Date | null {
  const window = rolloutWindowOf(item, item.now)
  if (!window.isOpen || !window.closesAt) return null
  return new Date(window.closesAt.getTime() - (item.time_limit_minutes ?? defaultLimitMinutes) * 60_000)
}

/**
 * The items of one agent that fit into their windows even if each takes as long as it may, in the order of execution. The
 * agent gets the others when it asks again.
 */
export function fittingWindows<Item extends TimedItem>(items: readonly Item[]): Item[] {
  let startsAt: number | undefined
  return items.filter((item) => {
    startsAt ??= item.now.getTime()
    const latestStart = latestStartOf(item)
    if (latestStart && latestStart.getTime() < startsAt) return false
    startsAt += (item.time_limit_minutes ?? defaultLimitMinutes) * 60_000
    return true
  })
}
