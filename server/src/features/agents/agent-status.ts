import { type RawBuilder, sql } from 'kysely'

/** What the status of an agent says about the health of its computer. */
export const healthOfAgentStatus = {
  Reporting: 'Healthy',
  Stale: 'Warning',
  Silent: 'Unreachable',
  Unknown: 'Unreachable',
} as const

export type AgentStatus = keyof typeof healthOfAgentStatus

/** By the last contact, which may be null. */
export function agentStatusBy(lastSeenAt: string): RawBuilder<AgentStatus> {
  const seen = sql.ref(lastSeenAt)
  return sql<AgentStatus>`case
    when ${seen} is null then 'Unknown'
    when ${seen} >= now() - interval '24 hours' then 'Reporting'
    when ${seen} >= now() - interval '7 days' then 'Stale'
    else 'Silent' end`
}
