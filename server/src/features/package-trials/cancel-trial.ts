import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { cancelWorkCtes } from '../work-states/cancel-work.ts'
import { isOpenWork, workLockOrder } from '../work-states/work-states.ts'
import { packageTrialEnded, packageTrialNotFound } from './problems.ts'

/**
 * Cancels an open trial. An agent that has not begun drops it; one that has installed the software uninstalls it again, and what
 * it reports is shown.
 */
export async function cancelTrial(db: Database, id: string): Promise<void> {
  const trial = await db
    .selectFrom('package_trials')
    .select(['work_id', 'computer_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!trial) throw packageTrialNotFound({ trialId: id })
  await sql`select from computers where id = ${trial.computer_id} for key share`.execute(db)
  const { rows } = await sql`
    with obsolete as materialized (
      select id from work where id = ${trial.work_id} and ${isOpenWork('state')} for update
    ), ${cancelWorkCtes(sql`select id from obsolete`, { reason: 'RequestCancelled' })}
    select from cancelled`.execute(db)
  if (rows.length === 0) throw packageTrialEnded({ trialId: id })
}

/** Open trials that no computer has begun in their time. What an agent has now is left to it. */
const isExpired = sql<boolean>`
  ${isOpenWork('work.state')} and (work.leased_until is null or work.leased_until < now())
  and work.id = any(array(select work_id from package_trials where state = 'Open' and expires_at < now()))`

/** Skips what is locked: the next run finds it again. Returns the number of trials. */
export async function endExpiredTrials(db: Database): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows: computers } = await sql<{ id: number }>`
      select id from computers where id = any(array(select computer_id from work where ${isExpired}))
      order by id for key share skip locked`.execute(transaction)
    if (computers.length === 0) return 0
    const { rows } = await sql`
      with expired as materialized (
        select work.id from work
        where work.computer_id = any(${computers.map(({ id }) => id)}::integer[]) and ${isExpired}
        order by ${workLockOrder('work')} for update skip locked
      ), ${cancelWorkCtes(sql`select id from expired`, { reason: 'TrialExpired' })}
      select from cancelled`.execute(transaction)
    return rows.length
  })
}
