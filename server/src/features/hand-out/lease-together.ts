import { sql } from 'kysely'
import { batchCalls } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { lockAgentsCtes } from '../agents/lock-agent.ts'
import { isLostTooOftenSql } from '../deployments/abandon-work.ts'
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
import { lockCandidates } from './work-candidates.ts'

/** Each may get twenty work items: more agents would make the others wait too long. */
const maxSharingAgents = 32

const leasers = new WeakMap<Database, (requester: WorkRequester) => Promise<LeasedWork | undefined>>()

/**
 * Does what `leaseWork` does, in one transaction with the other agents that ask at the same time. Returns undefined for an
 * agent that needs a transaction of its own: one whose rows somebody has locked, so that it would delay the others, and one
 * that loses work too often.
 */
export function leaseWorkTogether(db: Database, requester: WorkRequester): Promise<LeasedWork | undefined> {
  const lease = leasers.get(db) ?? shareLeases(db)
  leasers.set(db, lease)
  return lease(requester)
}

function shareLeases(db: Database) {
  return batchCalls({
    run: (requesters: readonly WorkRequester[]) =>
      db.transaction().execute((transaction) => leaseToAll(transaction, requesters)),
    keyOf: ({ clientId }) => clientId,
    maxBatchSize: maxSharingAgents,
  })
}

async function leaseToAll(db: Database, requesters: readonly WorkRequester[]): Promise<(LeasedWork | undefined)[]> {
  const free = await lockFreeAgents(
    db,
    requesters.map(({ clientId }) => clientId),
  )
  const sharing = requesters.filter(({ clientId }) => free.has(clientId))
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
  await recordLeases(db, plans)
  const planned = new Map(plans.map(({ requester, plan }) => [requester.clientId, plan]))
  return requesters.map(({ clientId }) => {
    const plan = planned.get(clientId)
    return plan && toLeasedWork(plan)
  })
}

/** Locks agents and their due work without waiting. Returns those agents of which everything is locked. */
async function lockFreeAgents(db: Database, clientIds: readonly number[]): Promise<Set<number>> {
  const isDue = (work: string) => sql<boolean>`
    ${isOpenWork(`${work}.state`)} and ${sql.ref(`${work}.kind`)} <> 'OperatingSystem' and ${sql.ref(`${work}.not_before`)} <= now()`
  const { rows } = await sql<{ computer_id: number }>`
    with ${lockAgentsCtes(sql`select unnest(${clientIds}::integer[])`)}, due as materialized (
      select w.id from work w
      where w.computer_id = any(array(select computer_id from locked_agent)) and ${isDue('w')}
      order by ${workLockOrder('w')} for update of w skip locked
    )
    select computer_id from locked_agent
    where computer_id not in (
      select w.computer_id from work w
      where w.computer_id = any(array(select computer_id from locked_agent))
        and (${isDue('w')} and w.id not in (select id from due)
          or ${isOpenWork('w.state')} and ${isLostTooOftenSql('w')}))`.execute(db)
  return new Set(rows.map(({ computer_id }) => computer_id))
}
