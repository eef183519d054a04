import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { lockAgent } from '../../../features/agents/lock-agent.ts'

/**
 * Closes the work that asked for an inventory, because the inventory has arrived. These agents are never leased such
 * work: the answer to a contact asks them for the inventory.
 */
export async function finishRefresh(db: Database, computerId: number): Promise<void> {
  await lockAgent(db, computerId)
  await sql`
    update work set state = 'Success', closed_at = now(), leased_until = null, run_id = null
    where computer_id = ${computerId} and kind = 'Refresh' and state in ('Due', 'Leased') and not_before <= now()`.execute(
    db,
  )
}
