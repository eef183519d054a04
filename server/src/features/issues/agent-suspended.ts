import { type Selectable, sql } from 'kysely'
import { timeAsJson } from '../../database/sql-time.ts'
import type { Agents } from '../../database/tables.ts'
import { Instant, nullable } from '../../platform/schema.ts'
import { SuspensionMode } from '../agents/suspension.ts'
import { issue } from './issue.ts'
import { onlyValue } from './occurrence-aggregates.ts'

type SuspendedAgent = Pick<Selectable<Agents>, 'computer_id' | 'suspended_until'> & { suspension_mode: string }

/** A suspension ends at `suspended_until`, even if the agent has not reported its end yet. */
export const agentSuspended = issue({
  name: 'agent-suspended',
  thresholds: {},
  occurrences: () => sql<SuspendedAgent>`
    select agent.computer_id, agent.suspension_mode, agent.suspended_until
    from agents agent
    where agent.suspension_mode is not null and (agent.suspended_until is null or agent.suspended_until > now())`,
  properties: {
    suspensionMode: SuspensionMode,
    suspendedUntil: { ...nullable(Instant), description: 'Null for a suspension without an end' },
  },
  values: (column) => ({
    suspensionMode: onlyValue(column.suspension_mode),
    suspendedUntil: timeAsJson(onlyValue(column.suspended_until)),
  }),
  detail: (column) => onlyValue(column.suspension_mode),
  cause: { kind: 'SuspensionMode', id: (column) => column.suspension_mode },
})
