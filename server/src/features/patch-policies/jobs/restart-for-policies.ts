import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { requestRestartsForPolicies } from '../request-restarts.ts'

/** Restarts computers in the windows of their patch policies, on one node at a time. */
export function restartForPolicies(db: Database): PeriodicTask {
  return {
    name: 'restart computers in the windows of patch policies',
    intervalSeconds: 60,
    // A window opens without any request. No agent gets a restart after its window, however late it is withdrawn.
    idleIntervalSeconds: 300,
    runsAtStart: true,
    maxShareOfTime: 0.05,
    run: (signal) => requestRestartsForPolicies(db, signal),
  }
}
