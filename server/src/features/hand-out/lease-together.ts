import { sql } from 'kysely'
import { shareStatement } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { lockAgentsCtes } from '../agents/lock-agent.ts'
import { isOpenWork, workLockOrder } from '../work-states/work-states.ts'
import {
  delayForRollout,
  type LeasedWork,
  moveToWindows,
  planLeases,
  recordLeases,
  toLeasedWork,
  toRequesterRows,
  type WorkRequester,
} from './lease-work.ts'
import { isToEnd } from './unmet-work.ts'
import { lockCandidates } from './work-candidates.ts'

/** Each may get twenty work items: more agents would make the others wait too long. */
const maxSharingAgents = 32

/** Locked: somebody has locked rows of the computer, and nobody waits for that. Alone: the agent needs `leaseWork`. */
type SharedLease = LeasedWork | 'Locked' | 'Alone'

/**
 * Does what `leaseWork` does, in one transaction with the other agents that ask at the same time. An agent whose work ends, because it
 * was lost too often or a condition is not met, needs a transaction of its own: that may end other work, too.
 */
export const leaseWorkTogether = shareStatement((db) => ({
  run: (requesters: readonly WorkRequester[]) =>
    db.transaction().execute((transaction) => leaseToAll(transaction, requesters)),
  keyOf: ({ clientId }) => clientId,
  maxBatchSize: maxSharingAgents,
}))

async function leaseToAll(db: Database, requesters: readonly WorkRequester[]): Promise<SharedLease[]> {
  const locked = await lockFreeAgents(
    db,
    requesters.map(({ clientId }) => clientId),
  )
  const sharing = requesters.filter(({ clientId }) => locked.get(clientId)?.has_work_to_end === false)
  const candidates = sharing.length > 0 ? await lockCandidates(db, toRequesterRows(sharing)) : []
  const byComputer = Map.groupBy(candidates, ({ computer_id }) => computer_id)
  const plans = sharing.map((requester) => ({
    requester,
    plan: planLeases(byComputer.get(requester.clientId) ?? [], requester),
  }))
  await moveToWindows(
    db,
    plans.flatMap(({ plan }) => plan.windows),
  )
  await delayForRollout(
    db,
    plans.flatMap(({ plan }) => plan.delays),
  )
  const traces = await recordLeases(db, plans)
  const planned = new Map(plans.map(({ requester, plan }) => [requester.clientId, plan]))
  return requesters.map(({ clientId }) => {
    const plan = planned.get(clientId)
    if (plan) return toLeasedWork(plan, traces)
    return locked.has(clientId) ? 'Alone' : 'Locked'
  })
}

type FreeAgent = { computer_id: number; has_work_to_end: boolean }

/** Locks agents and their due work without waiting. Returns the agents of which everything is locked now. */
async function lockFreeAgents(db: Database, clientIds: readonly number[]): Promise<Map<number, FreeAgent>> {
  const isDue = sql<boolean>`${isOpenWork('w.state')} and w.kind <> 'OperatingSystem' and w.not_before <= now()`
  const { rows } = await sql<FreeAgent>`
    with ${lockAgentsCtes(sql`select unnest(${clientIds}::integer[])`)}, due as materialized (
      select w.id from work w
      where w.computer_id = any(array(select computer_id from locked_agent)) and ${isDue}
      order by ${workLockOrder('w')} for update of w skip locked
    ), open_work as materialized (
      select w.computer_id, bool_or(${isDue} and w.id not in (select id from due)) as is_locked,
        bool_or(${isToEnd}) as has_work_to_end
      from work w
      where w.computer_id = any(array(select computer_id from locked_agent)) and ${isOpenWork('w.state')}
      group by w.computer_id
    )
    select computer_id, coalesce(has_work_to_end, false) as has_work_to_end
    from locked_agent left join open_work using (computer_id)
    where is_locked is not true`.execute(db)
  return new Map(rows.map((row) => [row.computer_id, row]))
}
