import { sql } from 'kysely'
import { timeAsJson } from '../../database/sql-time.ts'
import { Instant, nullable } from '../../platform/schema.ts'
import { SuspensionMode } from '../agents/suspension.ts'
import { issue } from './issue.ts'

/** A suspension whose time is over is none, although the agent has not yet said so. */
export const agentSuspended = issue({
  name: 'agent-suspended',
  thresholds: {},
  findings: () => sql`
    select agent.computer_id, agent.suspension_mode, agent.suspended_until
    from agents agent
    where agent.suspension_mode is not null and (agent.suspended_until is null or agent.suspended_until > now())`,
  shape: {
    suspensionMode: SuspensionMode,
    suspendedUntil: { ...nullable(Instant), description: 'Null for a suspension without an end' },
  },
  show: {
    suspensionMode: sql`min(found.suspension_mode)`,
    suspendedUntil: timeAsJson(sql`min(found.suspended_until)`),
  },
  detail: sql<string>`min(found.suspension_mode)`,
})
