import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { recordCounts } from './evaluate.ts'
import { getRolloutRecord, type Rollout } from './rollout-record.ts'

/** Ends a pause: what has happened before no longer counts against the limits. Agents whose work has waited for it are called. */
export async function resume(db: Database, { id }: Rollout): Promise<void> {
  await sql`
    update rollouts set state = case when catch_up_until is null then 'Running' else 'CatchingUp' end, pause = null,
      resumed_at = now(), version = version + 1
    where id = ${id}`.execute(db)
  await recordCounts(db, await getRolloutRecord(db, id))
  await sql`
    select call_agents(array(select computer_id from work where rollout_id = ${id} and state = 'Due'))`.execute(db)
}
