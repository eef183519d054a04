import { type RawBuilder, sql } from 'kysely'
import { type AgentStatus, agentStatusBy, isServerWithoutAgent } from '../agents/agent-status.ts'
import { hasIssue, type Issue } from './issue.ts'
import { issues } from './issues.ts'

export const healthStatuses = ['Healthy', 'Warning', 'Unreachable'] as const

export type HealthStatus = (typeof healthStatuses)[number]

/**
 * The health of a computer: Unreachable while its agent is silent or has never made contact, unless it is the server itself
 * and needs none; otherwise Warning while the computer has an issue, otherwise Healthy.
 */
export function healthStatusBy(
  agentStatus: RawBuilder<AgentStatus>,
  hasAnyIssue: RawBuilder<boolean>,
  needsNoAgent: RawBuilder<boolean>,
): RawBuilder<HealthStatus> {
  return sql<HealthStatus>`case
    when ${agentStatus} in ('Silent', 'Unknown') and not ${needsNoAgent} then 'Unreachable'
    when ${hasAnyIssue} then 'Warning'
    else 'Healthy' end`
}

/**
 * The agent status and the health of one computer, which is a row of `computers` joined with its `contact` and its slow
 * `schedule`.
 */
export function healthOfComputer() {
  const agentStatus = agentStatusBy({ lastSeenAt: 'contact.last_seen_at', staleAfter: 'schedule.stale_after' })
  const findings = issues.map((issue: Issue) => hasIssue(issue, {}, 'computers.id'))
  const hasAnyIssue = sql<boolean>`(${sql.join(findings, sql` or `)})`
  return { agentStatus, healthStatus: healthStatusBy(agentStatus, hasAnyIssue, isServerWithoutAgent('computers')) }
}
