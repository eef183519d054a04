import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/**
 * Whatever an agent is handed or reports goes one after the other for each agent. To be called before its work is
 * locked.
 */
export async function lockAgent(db: Database, clientId: number): Promise<void> {
  await sql`select from agents where computer_id = ${clientId} for no key update`.execute(db)
}
