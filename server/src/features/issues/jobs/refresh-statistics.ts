import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { refreshFleetStatistics } from '../fleet-statistics.ts'

const intervalSeconds = 60

/** Counts the fleet once a minute, on one node at a time. */
export function refreshStatistics(db: Database): PeriodicTask {
  return {
    name: 'refresh fleet statistics',
    intervalSeconds,
    runsAtStart: true,
    // Counting a large fleet takes long; the database must not spend more than this on it.
    maxShareOfTime: 1 / 20,
    async run(signal) {
      await refreshFleetStatistics(db, intervalSeconds / 2, signal)
      return undefined
    },
  }
}
