import { batchCalls } from '../../../database/batch-calls.ts'
import type { Database } from '../../../database/connect.ts'
import { isLockTimeout, isSerializationConflict } from '../../../database/errors.ts'
import { type ReportOutcome, type ResultReport, recordResult } from '../record-result.ts'
import { type ReportedSuccess, recordSuccesses } from './record-successes.ts'

/** The result of one work item. */
export type ReportedResult = ResultReport & { workId: number }

/** What became of a result. Locked: it was not recorded, because somebody has locked the computer. Send it again. */
export type ResultOutcome = { workId: number; outcome: ReportOutcome | 'Locked' }

type AgentResults = { clientId: number; results: readonly ReportedResult[] }

/** An agent reports up to twenty results at once: more agents would make the statement so long that contacts wait. */
const maxSharingAgents = 16

const recorders = new WeakMap<Database, (reported: AgentResults) => Promise<ReadonlySet<number>>>()

/**
 * Records results of one agent. Ordinary successes share a statement with those of other agents. The others are recorded
 * one by one afterwards, so that nobody waits for them. All that is returned is committed, unless it is `Locked`.
 */
export async function recordResults(
  db: Database,
  clientId: number,
  results: readonly ReportedResult[],
): Promise<ResultOutcome[]> {
  // Of several results of one work item, the first counts.
  const firsts = [...new Map(results.toReversed().map((result) => [result.workId, result])).values()].toReversed()
  const successes = firsts.filter(({ status }) => status === 'Success')
  const recorded = successes.length > 0 ? await recordShared(db, { clientId, results: successes }) : new Set<number>()
  const outcomes: ResultOutcome[] = []
  for (const result of firsts) {
    const { workId } = result
    const outcome = recorded.has(workId) ? 'Accepted' : await recordUnlessLocked(db, clientId, result)
    outcomes.push({ workId, outcome })
  }
  return outcomes
}

function recordShared(db: Database, reported: AgentResults): Promise<ReadonlySet<number>> {
  const record = recorders.get(db) ?? shareResults(db)
  recorders.set(db, record)
  return record(reported)
}

function shareResults(db: Database) {
  return batchCalls({
    async run(reported: readonly AgentResults[]): Promise<ReadonlySet<number>[]> {
      const rows = await recordSuccesses(db, JSON.stringify(reported.flatMap(toRows)))
      const byClient = Map.groupBy(rows, ({ client_id }) => client_id)
      return reported.map(({ clientId }) => new Set(byClient.get(clientId)?.map(({ work_id }) => work_id)))
    },
    keyOf: ({ clientId }) => clientId,
    maxBatchSize: maxSharingAgents,
  })
}

const toRows = ({ clientId, results }: AgentResults): ReportedSuccess[] =>
  results.map((result) => ({
    client_id: clientId,
    work_id: result.workId,
    attempt: result.attempt,
    installation_state: result.installationState,
    command_line: result.commandLine,
    is_reboot_required: result.rebootRequired,
  }))

async function recordUnlessLocked(db: Database, clientId: number, result: ReportedResult) {
  try {
    return await db.transaction().execute((transaction) => recordResult(transaction, clientId, result.workId, result))
  } catch (error) {
    if (!isLockTimeout(error) && !isSerializationConflict(error)) throw error
    return 'Locked'
  }
}
