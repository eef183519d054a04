import { sql } from 'kysely'
import { advisoryLocks } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'

const batchSize = 2_000
const intervalSeconds = 0.2
/** Whether tasks have ended is looked up less often than whether there are events. */
const runsPerTaskCheck = 5

/**
 * Moves committed events from the outbox to the log, on one node at a time. Each batch is one statement with a lock that
 * ends with it: if the node is killed, another one continues with its next run.
 */
export function sequenceEvents(db: Database): PeriodicTask {
  let runs = 0
  return {
    name: 'sequence events',
    intervalSeconds,
    runsAtStart: true,
    async run(signal) {
      if (runs++ % runsPerTaskCheck === 0) await finishTasks(db)
      for (let moved = batchSize; moved === batchSize && !signal.aborted; ) moved = await sequenceBatch(db)
      return undefined
    },
  }
}

/** Returns the number of events that were moved; 0 if another node is moving events. */
export async function sequenceBatch(db: Database, limit = batchSize): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    select case when pg_try_advisory_xact_lock(${advisoryLocks.eventSequence}) then sequence_events(${limit}) else 0 end
      as moved`.execute(db)
  return rows[0]?.moved ?? 0
}

/** Records the end of tasks whose last work item was closed. */
export async function finishTasks(db: Database): Promise<void> {
  await sql`
    select case when pg_try_advisory_xact_lock(${advisoryLocks.eventSequence}) then finish_tasks() end`.execute(db)
}
