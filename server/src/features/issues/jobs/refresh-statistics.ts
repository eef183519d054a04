import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { refreshFleetStatistics } from '../fleet-statistics.ts'

/** Counts the fleet when a count is due, on one node at a time. */
export function refreshStatistics(db: Database): PeriodicTask {
  return {
    name: 'refresh fleet statistics',
    intervalSeconds: 5,
    // Without contacts and changes, only the time changes counts.
    idleIntervalSeconds: 60,
    runsAtStart: true,
    // A count that fails after a long time must not be repeated at once.
    maxShareOfTime: 1 / 20,
    async run(signal) {
      await refreshFleetStatistics(db, { onlyIfDue: true, signal })
      return undefined
    },
  }
}
