import { type RawBuilder, sql } from 'kysely'
import { minStaleAfter } from './agent-schedule.ts'

export const agentStatuses = ['Reporting', 'Stale', 'Silent', 'Unknown'] as const

export type AgentStatus = (typeof agentStatuses)[number]

/** Columns of a contact and of its slow schedule. Both may be null: no contact yet, no slow schedule. */
type ContactColumns = { lastSeenAt: string; staleAfter: string }

/** The status of an agent. Silent begins after 7 days, but not before twice the time after which the agent is stale. */
export function agentStatusBy({ lastSeenAt, staleAfter }: ContactColumns): RawBuilder<AgentStatus> {
  const lastSeen = sql.ref(lastSeenAt)
  return sql<AgentStatus>`case
    when ${lastSeen} is null then 'Unknown'
    when ${lastSeen} > now() - coalesce(${sql.ref(staleAfter)}, ${minStaleAfter}) then 'Reporting'
    when ${lastSeen} > now() - greatest(interval '7 days', 2 * ${sql.ref(staleAfter)}) then 'Stale'
    else 'Silent' end`
}

/**
 * Whether a row of `computers` is the machine that Muster runs on, without an agent. Nothing is missing there: it needs none.
 * Takes the alias of the table.
 */
export function isServerWithoutAgent(computers: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${computers}.role`)} = 'MasterServer'
    and not exists (select from computer_contacts seen where seen.computer_id = ${sql.ref(`${computers}.id`)}))`
}

/** Whether an agent has missed its schedule: its status is Stale or Silent. */
export function isAgentLate({ lastSeenAt, staleAfter }: ContactColumns): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(lastSeenAt)} <= now() - coalesce(${sql.ref(staleAfter)}, ${minStaleAfter})`
}
