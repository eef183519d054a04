import { type RawBuilder, sql } from 'kysely'
import type { Pressure } from '../../platform/load/pressure.ts'
import { connectedContactMinutes, contactMinutes } from './settings.ts'

/** Contacts are spread by this fraction of the interval in both directions. */
const spread = 0.1

type ContactPlan = {
  /** The contact interval as the template has it. */
  interval: unknown
  nextWorkAt: Date | null
  /** Whether the agent can be called and nothing waits for it. */
  isCallable: boolean
}

/**
 * The seconds until the agent makes its next contact. They follow the interval of its template, spread so that agents do
 * not come all at once. The service stretches the interval under load and shortens it when work becomes due earlier. An agent
 * that can be called comes less often.
 */
export function secondsUntilNextContact({ interval, nextWorkAt, isCallable }: ContactPlan, pressure: Pressure): number {
  const seconds = contactMinutes(interval) * 60
  const planned = isCallable ? connectedContactMinutes(interval) * 60 : seconds
  const regular = planned * (1 - spread + 2 * spread * Math.random()) * pressure.stretch()
  if (!nextWorkAt) return roundSeconds(regular)
  const untilWork = Math.max(0, (nextWorkAt.getTime() - Date.now()) / 1000)
  return roundSeconds(Math.min(regular, untilWork + seconds * spread * Math.random()))
}

function roundSeconds(seconds: number): number {
  return Math.max(0.1, Math.round(seconds * 10) / 10)
}

/** Whether work is due now, null without open work, and when the next work becomes due. */
export type WorkDueTimes = { is_due: boolean | null; next_work_at: Date | null }

/** Reduces the open work of one computer to what its next contact depends on, and to other aggregates of its rows. */
export function workDueTimes(
  openWork: RawBuilder<{ due_at: Date }>,
  otherAggregates: RawBuilder<unknown> = sql``,
): RawBuilder<WorkDueTimes> {
  return sql<WorkDueTimes>`
    select bool_or(due_at <= now()) as is_due, min(due_at) filter (where due_at > now() and isfinite(due_at)) as next_work_at${otherAggregates}
    from (${openWork}) as open_work`
}
