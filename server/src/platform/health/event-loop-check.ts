import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { HealthCheck } from './health.ts'

const maxDelayMs = 1_000
/** Fine enough for delays of a second. Each sample wakes the process up. */
const resolution = 250
/** A load balancer that waits three seconds for an answer would have sent the request elsewhere. */
const maxToleratedMs = 3_000

/** Notices that a computation blocked all requests of this process since the last run. */
export function eventLoopCheck(): HealthCheck {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  return {
    name: 'event-loop',
    intervalMs: 1_000,
    async run() {
      const delayMs = histogram.max / 1e6 - resolution
      histogram.reset()
      if (delayMs <= maxDelayMs) return undefined
      return {
        code: 'AnswersLate',
        status: delayMs > maxToleratedMs ? 'failed' : 'warning',
        detail: 'The service is busy and answers late.',
      }
    },
  }
}
