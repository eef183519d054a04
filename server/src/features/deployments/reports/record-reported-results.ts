import { shareStatement } from '../../../database/batch-calls.ts'
import type { Database } from '../../../database/connect.ts'
import { isLockTimeout, isSerializationConflict } from '../../../database/errors.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import { type ReportOutcome, type ResultReport, recordResult } from '../record-result.ts'
import { recordWorkChoices } from '../work-choices.ts'
import { type ReportedResultRow, recordRunSuccesses, type SharedOutcome } from './record-successes.ts'

/** The result of one work item. */
export type ReportedResult = ResultReport & { workId: number }

/** What became of a result. Locked: it was not recorded, because somebody has locked the computer. Send it again. */
export type ResultOutcome = { workId: number; outcome: ReportOutcome | 'Locked' }

type AgentResults = { clientId: number; results: readonly ReportedResult[] }

type SharedOutcomes = ReadonlyMap<number, SharedOutcome['outcome']>

/** An agent reports up to twenty results at once: more agents would make the statement so long that contacts wait. */
const maxSharingAgents = 16

/**
 * Records results of one agent. Ordinary successes share a statement with those of other agents. The others are recorded
 * one by one afterwards so that nobody waits for them. All that is returned is committed, unless it is `Locked`. With
 * `waitsForLocks`, a locked result is tried once more, for as long as the lane waits for locks.
 */
export async function recordReportedResults(
  db: Database,
  clientId: number,
  results: readonly ReportedResult[],
  { waitsForLocks }: { waitsForLocks: boolean },
): Promise<ResultOutcome[]> {
  // Of several results of one work item, the first counts.
  const firsts = [...new Map(results.toReversed().map((result) => [result.workId, result])).values()].toReversed()
  if (firsts.length === 0) return []
  const shared = await recordShared(db, { clientId, results: firsts })
  const outcomes: ResultOutcome[] = []
  for (const result of firsts) {
    const { workId } = result
    const outcome = shared.get(workId)
    if (outcome === 'Recorded') outcomes.push({ workId, outcome: 'Accepted' })
    else if (outcome === 'Locked' && !waitsForLocks) outcomes.push({ workId, outcome })
    else outcomes.push({ workId, outcome: await recordUnlessLocked(db, clientId, result) })
  }
  const accepted = new Set(outcomes.flatMap(({ workId, outcome }) => (outcome === 'Accepted' ? [workId] : [])))
  await recordWorkChoices(
    db,
    clientId,
    firsts.filter(({ workId }) => accepted.has(workId)),
  )
  return outcomes
}

const recordShared = shareStatement((db) => ({
  async run(reported: readonly AgentResults[]): Promise<SharedOutcomes[]> {
    const rows = await recordRunSuccesses(db, JSON.stringify(reported.flatMap(toRows)))
    const byClient = Map.groupBy(rows, ({ client_id }) => client_id)
    return reported.map(
      ({ clientId }) => new Map(byClient.get(clientId)?.map(({ work_id, outcome }) => [work_id, outcome])),
    )
  },
  keyOf: ({ clientId }) => clientId,
  maxBatchSize: maxSharingAgents,
}))

const toRows = ({ clientId, results }: AgentResults): ReportedResultRow[] =>
  results.map((result) => ({
    client_id: clientId,
    work_id: result.workId,
    attempt: result.attempt,
    is_success: result.status === 'Success',
    installation_state: result.installationState,
    command_line: result.commandLine,
    is_reboot_required: result.rebootRequired,
  }))

async function recordUnlessLocked(db: Database, clientId: number, result: ReportedResult) {
  const record = (transaction: Database) => recordResult(transaction, clientId, result.workId, result)
  try {
    return await retryConflicts(() => db.transaction().execute(record))
  } catch (error) {
    if (!isLockTimeout(error) && !isSerializationConflict(error)) throw error
    return 'Locked'
  }
}
