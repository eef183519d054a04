import { sql } from 'kysely'
import { advisoryLocks } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import type { Activity } from '../../../platform/load/activity.ts'

const batchSize = 2_000
const intervalSeconds = 0.2
const idleIntervalSeconds = 3
/** Whether tasks have ended is looked up less often than whether there are events, and still less while nothing happens. */
const taskCheckMs = { busy: 900, idle: 5_000 }

/**
 * Moves committed events from the outbox to the log, on one node at a time. Each batch is one statement with a lock that
 * ends with it: if the node is killed, another one continues with its next run. Nearly every change leaves an event, so moved
 * events are a sign for other tasks that there is something to do.
 */
export function sequenceEvents(db: Database, activity: Activity): PeriodicTask {
  let checked = { at: Number.NEGATIVE_INFINITY, count: 0 }
  const areTasksDue = () => {
    const { busy, idle } = taskCheckMs
    return performance.now() - checked.at >= (activity.count() === checked.count ? idle : busy)
  }
  return {
    name: 'sequence events',
    intervalSeconds,
    idleIntervalSeconds,
    runsAtStart: true,
    async run(signal) {
      if (areTasksDue()) {
        checked = { at: performance.now(), count: activity.count() }
        await finishTasks(db)
      }
      for (let moved = batchSize; moved === batchSize && !signal.aborted; ) {
        moved = await sequenceBatch(db)
        if (moved > 0) activity.note()
      }
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
