import { shareStatement } from '../../../database/batch-calls.ts'
import type { Database } from '../../../database/connect.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import { lockAgent } from '../../agents/lock-agent.ts'
import { type BegunWork, beginWork } from '../begin-work.ts'
import { type ProgressRow, type ReportedProgress, recordProgressRows } from './progress-statement.ts'

/** What an agent reports about a work item that it has; a percentage of null means that it has not begun. */
export type WorkProgress = { workId: number; attempt: number; percent: number | null }

/** Leased: the agent continues. Cancelled: it stops. NotLeased: another process has it, or nobody may begin it now. */
export type ProgressOutcome = 'Leased' | 'Cancelled' | 'NotLeased'

const maxSharingAgents = 64

type AgentProgress = { clientId: number; rows: readonly ReportedProgress[] }

/** Concurrent reports share one statement. A locked row is left as it is: the next report renews the lease. */
export async function recordProgress(
  db: Database,
  clientId: number,
  items: readonly WorkProgress[],
): Promise<Map<number, ProgressOutcome>> {
  if (items.length === 0) return new Map()
  const rows = await recordShared(db, {
    clientId,
    rows: items.map(({ workId, attempt, percent }) => ({
      client_id: clientId,
      work_id: workId,
      attempt,
      percent,
      run_id: null,
    })),
  })
  const outcomes = new Map(rows.map((row) => [row.work_id, outcomeOf(row)]))
  return new Map(items.map(({ workId }) => [workId, outcomes.get(workId) ?? 'NotLeased']))
}

/**
 * Records that the agent has begun an attempt, and hands out its content. Returns undefined if this attempt is not leased
 * to the agent, or if the installation is frozen and the attempt has not begun before.
 */
export async function startWorkOfAgent(
  db: Database,
  clientId: number,
  workId: number,
  { attempt, runId }: { attempt: number; runId: string },
): Promise<BegunWork | undefined> {
  const row = { client_id: clientId, work_id: workId, attempt, percent: 0, run_id: runId }
  const [reported] = await recordShared(db, { clientId, rows: [row] })
  if (!reported || outcomeOf(reported) !== 'Leased') return undefined
  if (reported.is_written) return reported
  return retryConflicts(() =>
    db.transaction().execute(async (transaction) => {
      await lockAgent(transaction, clientId)
      return beginWork(transaction, clientId, workId, { attempt, runId, isHandOut: true })
    }),
  )
}

function outcomeOf({ state, is_current, was_leased, is_stopped }: ProgressRow): ProgressOutcome {
  if (!is_current || is_stopped) return 'NotLeased'
  if (state === 'Leased') return 'Leased'
  return state === 'Cancelled' && was_leased ? 'Cancelled' : 'NotLeased'
}

const recordShared = shareStatement((db) => ({
  async run(reported: readonly AgentProgress[]): Promise<readonly ProgressRow[][]> {
    const rows = await recordProgressRows(db, JSON.stringify(reported.flatMap(({ rows }) => rows)))
    const byClient = Map.groupBy(rows, ({ client_id }) => client_id)
    return reported.map(({ clientId }) => byClient.get(clientId) ?? [])
  },
  keyOf: ({ clientId }) => clientId,
  maxBatchSize: maxSharingAgents,
}))
