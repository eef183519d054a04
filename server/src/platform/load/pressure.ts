import { monitorEventLoopDelay } from 'node:perf_hooks'
import type pg from 'pg'

/** How busy this node is. */
export type Pressure = {
  /** By how much machines are to call less often: 1 while it is at ease, up to 4. */
  stretch(): number
  close(): void
}

const resolution = 20
/** Milliseconds of delay, on average, at which the stretch is longest. */
const worstDelay = 500
const longestStretch = 4
const sampleMilliseconds = 5_000

/** Watches the delay of the event loop and the requests that wait for a connection to the database. */
export function openPressure(pool: pg.Pool): Pressure {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  let delay = 0
  let sampledAt = performance.now()
  return {
    stretch() {
      if (performance.now() - sampledAt > sampleMilliseconds) {
        delay = Math.max(0, histogram.mean / 1e6 - resolution) || 0
        sampledAt = performance.now()
        histogram.reset()
      }
      const waiting = pool.waitingCount / (2 * (pool.options.max ?? 10))
      return 1 + (longestStretch - 1) * Math.min(1, Math.max(delay / worstDelay, waiting))
    },
    close: () => histogram.disable(),
  }
}
