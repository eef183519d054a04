import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { type AgentFactRow, agentFactRows, toAgentFacts } from './agent-facts.ts'
import { type AgentFacts, type Blocker, blockersOf } from './blockers.ts'
import { findOrderReason, type OrderReason } from './execution-order.ts'
import { type WorkCandidate, withPatchFacts, workCandidateColumns } from './work-candidates.ts'
import { workOf } from './work-facts.ts'

export type WaitingWork = WorkCandidate & {
  state: 'Due' | 'Leased'
  progress: number | null
  task_id: string
  created_at: Date
  group_id: string | null
  blockers: (Blocker | OrderBlocker)[]
}

export type OrderBlocker = Omit<Blocker, 'reason'> & { reason: OrderReason }

const orderMessages: Record<OrderReason, string> = {
  RebootFirst: 'A requested reboot comes first.',
  OtherWorkFirst: 'The computer restarts or shuts down only after its other work.',
  TooManyItems: 'The agent gets a limited number of work items at once, and others come first.',
  NotEnoughWindow: 'What comes first may take until the maintenance window of the rollout is nearly over.',
}

/** The agent of a computer as the next hand-out will find it. */
export async function getAgentFacts(
  db: Database,
  computerId: number,
): Promise<{ row: AgentFactRow; agent: AgentFacts }> {
  const { rows } = await agentFactRows(sql`select ${computerId}::integer as owner_id`).execute(db)
  const [row] = rows
  if (!row) throw new Error('The facts have one row for each computer.')
  return { row, agent: toAgentFacts(row) }
}

/** All open work of a computer, each item with what keeps it from being handed out at the next contact. */
export async function listWaitingWork(
  db: Database,
  { row, agent }: { row: AgentFactRow; agent: AgentFacts },
): Promise<WaitingWork[]> {
  const requester = sql<AgentFactRow>`
    select ${row.owner_id}::integer as owner_id, ${row.run_id}::uuid as run_id, ${row.is_duplicate_process}::boolean as is_duplicate_process,
      ${row.has_no_leased_work}::boolean as has_no_leased_work`
  const { rows } = await sql<Omit<WaitingWork, 'blockers'>>`
    select ${workCandidateColumns}, w.state, w.progress, w.task_id, w.created_at, w.group_id
    from ${workOf(requester)} where ${isOpenWork('w.state')} order by w.id`.execute(db)
  const items = (await withPatchFacts(db, rows)).map((item) => ({ ...item, blockers: blockersOf(item, agent) }))
  const ready = items.filter(({ blockers }) => blockers.length === 0)
  return items.map((item) => {
    const reason = item.blockers.length === 0 ? findOrderReason(item, ready, row.may_refuse) : undefined
    if (!reason) return item
    return { ...item, blockers: [{ reason, until: null, packages: [], message: orderMessages[reason] }] }
  })
}
