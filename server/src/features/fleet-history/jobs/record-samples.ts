import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { recordFleetHistory } from '../record-history.ts'
import { refreshFleetGauges } from '../refresh-gauges.ts'

/** Records the history of the fleet. Asking every minute keeps the sample near the beginning of its hour. */
export function recordHistory(db: Database): PeriodicTask {
  return {
    name: 'record the history of the fleet',
    intervalSeconds: 60,
    runsAtStart: true,
    maxShareOfTime: 1 / 20,
    run: () => recordFleetHistory(db).then(() => undefined),
  }
}

/** Counts what monitoring asks for. A slow count is repeated less often. */
export function refreshGauges(db: Database): PeriodicTask {
  return {
    name: 'count for monitoring',
    intervalSeconds: 15,
    idleIntervalSeconds: 60,
    runsAtStart: true,
    maxShareOfTime: 1 / 50,
    run: () => refreshFleetGauges(db).then(() => undefined),
  }
}
