import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { continuePatchRings } from '../continue-rings.ts'

/** Opens and pauses the rings of patch policies, on one node at a time. */
export function openPatchRings(db: Database): PeriodicTask {
  return {
    name: 'open the rings of patch policies',
    intervalSeconds: 60,
    // Results come with contacts; without any, only days pass.
    idleIntervalSeconds: 600,
    runsAtStart: true,
    // It reads the scans of whole policies.
    maxShareOfTime: 0.05,
    run: (signal) => continuePatchRings(db, signal),
  }
}
