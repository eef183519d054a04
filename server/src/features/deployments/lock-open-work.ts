import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isOpenWork, workLockOrder } from '../work-states/work-states.ts'

/**
 * Locks all open work of a computer and the deployments that belong to it, in the lock order. Call it before a change that
 * may spread from one work item to others: to lock those later, in any order, could deadlock. The caller has locked the
 * agent.
 */
export async function lockOpenWork(db: Database, clientId: number): Promise<void> {
  await sql`
    select from work where computer_id = ${clientId} and ${isOpenWork('state')}
    order by ${workLockOrder('work')} for update`.execute(db)
  await sql`
    select from deployments
    where computer_id = ${clientId} and package_id in (
      select package_id from work where computer_id = ${clientId} and ${isOpenWork('state')})
    order by package_id for update`.execute(db)
}
