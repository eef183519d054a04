import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isConnectedNow } from '../computers/connected-now.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { effectiveAgentSettings } from './effective-settings.ts'
import { connectedContactMinutes, contactMinutes } from './settings.ts'

/** The next contact of an agent as far as the service knows. A time in the past means that the agent is late. */
export type ExpectedContact = { at: Date; lastAt: Date; isConnected: boolean }

type ContactFacts = {
  computer_id: number
  last_seen_at: Date
  is_connected: boolean
  interval: unknown
  next_work_at: Date | null
}

/**
 * When the agents of computers make their next contact: a contact interval after the last one, give or take a tenth, or
 * when work becomes due that they know of. Agents that are connected come less often, and when they are called. Computers without an agent or a contact are left out.
 */
export async function listExpectedContacts(
  db: Database,
  computerIds: readonly number[],
): Promise<Map<number, ExpectedContact>> {
  if (computerIds.length === 0) return new Map()
  // Of one computer at a time: the planner takes a list for ten rows, and would compare each computer of a page with each other.
  const computer = sql<{ owner_id: number }>`select contact.computer_id as owner_id`
  const { rows } = await sql<ContactFacts>`
    select contact.computer_id, contact.last_seen_at, ${isConnectedNow('contact.computer_id')} as is_connected,
      case when effective.is_distributable or agents.settings_hash = effective.settings_hash
        then effective.settings -> 'contactIntervalMinutes' end as interval,
      (
        select min(not_before) from work
        where work.computer_id = contact.computer_id and ${isOpenWork('work.state')} and work.kind <> 'OperatingSystem'
          and not_before > now() and isfinite(not_before) and created_at <= contact.last_seen_at
      ) as next_work_at
    from computer_contacts contact
      join agents on agents.computer_id = contact.computer_id
      cross join lateral (${effectiveAgentSettings(computer)}) as effective
    where contact.computer_id = any(${computerIds}::integer[])`.execute(db)
  return new Map(rows.map((facts) => [facts.computer_id, toExpectedContact(facts)]))
}

function toExpectedContact({ last_seen_at, is_connected, interval, next_work_at }: ContactFacts): ExpectedContact {
  const minutes = is_connected ? connectedContactMinutes(interval) : contactMinutes(interval)
  const regular = new Date(last_seen_at.getTime() + minutes * 60_000)
  const at = next_work_at && next_work_at < regular ? next_work_at : regular
  return { at, lastAt: last_seen_at, isConnected: is_connected }
}

export async function findExpectedContact(db: Database, computerId: number): Promise<ExpectedContact | undefined> {
  return (await listExpectedContacts(db, [computerId])).get(computerId)
}

type StartableWork = { earliest: Date; createdAt: Date }

/**
 * When work will start that may start at `earliest`: then, if the agent comes back for it, otherwise at the next contact.
 * Null if that contact is late: nobody knows when the work starts. An agent that is connected is called for it.
 */
export function expectedStart(
  { earliest, createdAt }: StartableWork,
  contact: ExpectedContact,
  now: Date,
): Date | null {
  if (contact.isConnected) return earliest > now ? earliest : now
  const isKnownBefore = createdAt <= contact.lastAt || contact.at < earliest
  if (earliest > now && isKnownBefore) return earliest
  return contact.at > now ? contact.at : null
}
