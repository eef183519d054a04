import { type RawBuilder, sql } from 'kysely'
import type { PowerSettings } from '../deployments/power-settings.ts'
import type { StoredUserDeadline } from '../distribution/user-deadline.ts'
import { decidesFirst, reachedPolicies } from '../patches/policies/effective-rulings.ts'
import { findWindow, knownTimeZone, type MaintenanceWindow } from './rollout-windows.ts'

/** When a patch policy restarts the computers that need it, as it is stored. */
export type PolicyRestart = Omit<PowerSettings, 'action'> & {
  windows: MaintenanceWindow[]
  /** Null: that of each computer. */
  timeZone: string | null
}

const minuteMs = 60_000

/** For an agent that begins late, and for the restart itself. */
const spareMinutes = 5

/** A person may delay the restart until so long before the last time at which an agent gets it. Agents make contact before. */
const minutesAfterDeadline = 10

/** How long a restart may take from when an agent gets it: programs are closed after a notice, and then a countdown runs. */
export function restartMinutes({
  timeoutMinutes,
  userDeadline,
}: Pick<PolicyRestart, 'timeoutMinutes' | 'userDeadline'>): number {
  const notice = userDeadline?.noticeMinutes ?? 0
  const closing = userDeadline && userDeadline.closePrograms.length > 0 ? notice : 0
  return closing + Math.max(0, timeoutMinutes, notice) + spareMinutes
}

export type PolicyRestartWindow = { opensAt: Date; closesAt: Date }

/** The rest of the window in which computers with this time zone restart, if enough of it is left, or the next window. */
export function restartWindowOf(
  restart: PolicyRestart,
  reportedTimeZone: string | null,
  at: Date,
): PolicyRestartWindow | undefined {
  const timeZone = restart.timeZone ?? knownTimeZone(reportedTimeZone)
  const find = (time: Date) =>
    findWindow(restart.windows, { timeZone, at: time, limitMinutes: restartMinutes(restart) })
  const now = find(at)
  const opensAt = now.isOpen ? at : now.opensAt
  const window = now.isOpen || !opensAt ? now : find(opensAt)
  return opensAt && window.isOpen && window.closesAt ? { opensAt, closesAt: window.closesAt } : undefined
}

/** What an agent gets in a window with this end. Nothing of it reaches beyond the window. */
export type RestartTerms = Omit<PowerSettings, 'action'> & {
  /** No agent gets the restart before or after. */
  from: Date
  until: Date
}

export function restartTermsIn(restart: PolicyRestart, { opensAt, closesAt }: PolicyRestartWindow): RestartTerms {
  const { timeoutMinutes, reminderMinutes, userDeadline } = restart
  const until = new Date(closesAt.getTime() - restartMinutes(restart) * minuteMs)
  return {
    timeoutMinutes,
    reminderMinutes,
    userDeadline: userDeadline && endingBefore(userDeadline, until),
    from: opensAt,
    until,
  }
}

function endingBefore(deadline: StoredUserDeadline, until: Date): StoredUserDeadline {
  const latest = new Date(until.getTime() - minutesAfterDeadline * minuteMs).toISOString()
  const { latestUtc } = deadline
  return { ...deadline, latestUtc: latestUtc !== null && latestUtc < latest ? latestUtc : latest }
}

type LeasedRestart = {
  restart_policy_id: number | null
  window_ends_at: Date | null
  timeout_minutes: number | null
  user_deadline: StoredUserDeadline | null
  now: Date
}

/** Within how many seconds an agent has to begin a restart of a patch policy: before the window ends. */
export function secondsToRestart(item: LeasedRestart): { withinSeconds?: number } {
  const { restart_policy_id, window_ends_at, timeout_minutes, user_deadline, now } = item
  if (restart_policy_id === null || window_ends_at === null) return {}
  const minutes = restartMinutes({ timeoutMinutes: timeout_minutes ?? 0, userDeadline: user_deadline })
  const closesAt = window_ends_at.getTime() + minutes * minuteMs
  return { withinSeconds: Math.max(0, Math.floor((closesAt - now.getTime()) / 1_000)) }
}

export type DecidingRestart = { owner_id: number; policy_id: number; policy_name: string; restart: PolicyRestart }

/** The policy of each computer that decides about its restarts: the first one with a window. Other computers have no row. */
export function decidingRestarts(computers: RawBuilder<{ owner_id: number }>): RawBuilder<DecidingRestart> {
  return sql<DecidingRestart>`
    select distinct on (reached.owner_id) reached.owner_id, policy.id as policy_id, policy.name as policy_name, policy.restart
    from ${reachedPolicies('computer', computers)}
    where policy.restart is not null
    order by reached.owner_id, ${decidesFirst}`
}
