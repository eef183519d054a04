import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/**
 * Serialises everything that one agent is handed and everything that it reports. Pins its computer first, as the lock
 * order demands: a deletion of the computer waits for this transaction, or this transaction for the deletion.
 */
export async function lockAgent(db: Database, clientId: number): Promise<void> {
  await sql`
    with pinned as materialized (
      select id from computers where id = ${clientId} for key share
    )
    select from agents where computer_id = (select id from pinned) for no key update`.execute(db)
}

/**
 * The same for many agents, as parts of a `with` clause that never wait: `locked_agent` has those that nobody else has
 * locked. `computers` selects their ids.
 */
export function lockAgentsCtes(computers: RawBuilder<{ computer_id: number }>): RawBuilder<unknown> {
  return sql`
    pinned as materialized (
      select id from computers where id = any(array(${computers})) order by id for key share skip locked
    ), locked_agent as materialized (
      select computer_id from agents where computer_id = any(array(select id from pinned))
      order by computer_id for no key update skip locked
    )`
}
