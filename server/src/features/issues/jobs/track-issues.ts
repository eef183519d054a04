import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { recordIssueFindings } from '../issue-findings.ts'

/** Records which issues have appeared and cleared, when that is due, on one node at a time. */
export function trackIssues(db: Database): PeriodicTask {
  return {
    name: 'track issues',
    intervalSeconds: 5,
    // Without contacts and changes, only the time makes issues appear.
    idleIntervalSeconds: 60,
    // A run that fails after a long time must not be repeated at once.
    maxShareOfTime: 1 / 20,
    async run(signal) {
      await recordIssueFindings(db, { onlyIfDue: true, signal })
      return undefined
    },
  }
}
