import { type RawBuilder, sql } from 'kysely'
import { agentStaleAfter, minHoursUntilStale } from './agent-schedule.ts'

export const agentStatuses = ['Reporting', 'Stale', 'Silent', 'Unknown'] as const

export type AgentStatus = (typeof agentStatuses)[number]

/**
 * The status of an agent. The columns have the last contact, which may be null, and the id of the computer. Silent begins
 * after 7 days, but not before twice the time after which the agent is stale.
 */
export function agentStatusBy(columns: { lastSeenAt: string; computerId: string }): RawBuilder<AgentStatus> {
  const lastSeen = sql.ref(columns.lastSeenAt)
  // The schedule is resolved only for agents that could be stale, and once for each: hence the subquery with an offset.
  return sql<AgentStatus>`case
    when ${lastSeen} is null then 'Unknown'
    when ${lastSeen} > now() - make_interval(hours => ${sql.lit(minHoursUntilStale)}) then 'Reporting'
    else (
      select case
        when ${lastSeen} > now() - schedule.stale_after then 'Reporting'
        when ${lastSeen} > now() - greatest(interval '7 days', 2 * schedule.stale_after) then 'Stale'
        else 'Silent' end
      from (select ${agentStaleAfter(columns.computerId)} as stale_after offset 0) as schedule
    ) end`
}

/** Whether an agent has missed its schedule: its status is Stale or Silent. */
export function isAgentLate(columns: { lastSeenAt: string; computerId: string }): RawBuilder<boolean> {
  const lastSeen = sql.ref(columns.lastSeenAt)
  // The first condition follows from the second. It is written down because the index can answer it.
  return sql<boolean>`(${lastSeen} <= now() - make_interval(hours => ${sql.lit(minHoursUntilStale)})
    and ${lastSeen} <= now() - ${agentStaleAfter(columns.computerId)})`
}
