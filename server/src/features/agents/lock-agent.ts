import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/**
 * Serialises everything that one agent is handed and everything that it reports. Call it before locking rows of `work`,
 * so that all transactions take their locks in the same order.
 */
export async function lockAgent(db: Database, clientId: number): Promise<void> {
  await sql`select from agents where computer_id = ${clientId} for no key update`.execute(db)
}
