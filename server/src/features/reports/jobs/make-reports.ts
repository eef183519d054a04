import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { makeDueReports, type ReportParts } from '../make-due-reports.ts'

/** Makes the reports that are due. Several nodes share them. */
export function makeReports(parts: ReportParts): PeriodicTask {
  return {
    name: 'make reports',
    intervalSeconds: 10,
    // A request for a report ends the rest of the node that gets it.
    idleIntervalSeconds: 60,
    run: (signal) => makeDueReports(parts, signal),
  }
}
