import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { lockAgent } from '../../../features/agents/lock-agent.ts'
import { closeWork } from '../../../features/deployments/close-work.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'

/** The inventory that was asked for is there. These agents are handed nothing for it: they are asked at their contact. */
export async function finishRefresh(db: Database, computerId: number): Promise<void> {
  await lockAgent(db, computerId)
  const target = sql`
    where computer_id = ${computerId} and kind = 'Refresh' and ${isOpenWork('state')} and not_before <= now()`
  await closeWork('Success', 'Agent', target).execute(db)
}
