import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { lockAgent } from '../../../features/agents/lock-agent.ts'
import { closeWork } from '../../../features/work-states/close-work.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'

/**
 * Closes the work that asked for an inventory, because the inventory has arrived. These agents are never leased such
 * work: the answer to a contact asks them for the inventory.
 */
export async function finishRefresh(db: Database, computerId: number): Promise<void> {
  await lockAgent(db, computerId)
  const target = sql`
    where computer_id = ${computerId} and kind = 'Refresh' and ${isOpenWork('state')} and not_before <= now()`
  await closeWork('Success', 'Agent', target).execute(db)
}
