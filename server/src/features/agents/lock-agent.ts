import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/**
 * Serialises everything that one agent is handed and everything that it reports. Pins its computer first, as the lock
 * order demands, so that a deletion of the computer waits for this transaction, or this transaction for the deletion.
 */
export async function lockAgent(db: Database, clientId: number): Promise<void> {
  await sql`
    with pinned as materialized (
      select id from computers where id = ${clientId} for key share
    )
    select from agents where computer_id = (select id from pinned) for no key update`.execute(db)
}
