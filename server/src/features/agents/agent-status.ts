import { type RawBuilder, sql } from 'kysely'

/** The health of a computer, derived from the status of its agent. */
export const healthOfAgentStatus = {
  Reporting: 'Healthy',
  Stale: 'Warning',
  Silent: 'Unreachable',
  Unknown: 'Unreachable',
} as const

export type AgentStatus = keyof typeof healthOfAgentStatus

/** The status of an agent by the column of its last contact, which may be null. */
export function agentStatusBy(lastSeenAt: string): RawBuilder<AgentStatus> {
  const lastSeen = sql.ref(lastSeenAt)
  return sql<AgentStatus>`case
    when ${lastSeen} is null then 'Unknown'
    when ${lastSeen} >= now() - interval '24 hours' then 'Reporting'
    when ${lastSeen} >= now() - interval '7 days' then 'Stale'
    else 'Silent' end`
}
