import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Lane } from '../../database/connect.ts'
import { waitingPerConnection } from './database-load.ts'

/** How busy this process is. */
export type Pressure = {
  /** The factor by which machines should stretch their contact interval: 1 without load, up to 4. */
  stretch(): number
  close(): void
}

const resolution = 20
/** Mean delay of the event loop, in milliseconds, from which the stretch is at its maximum. */
const maxDelay = 500
const maxStretch = 4
const sampleMilliseconds = 5_000

/** Measures the delay of the event loop and the number of requests of machines that wait for a database connection. */
export function openPressure(machines: Lane): Pressure {
  const histogram = monitorEventLoopDelay({ resolution })
  let delay = 0
  let sampledAt = performance.now()
  let sample: NodeJS.Timeout | undefined
  /** Only while somebody asks, because the measurement wakes the process up fifty times a second. */
  const takeSample = () => {
    // An old sample says nothing about now.
    if (performance.now() - sampledAt > sampleMilliseconds) delay = 0
    histogram.reset()
    histogram.enable()
    sample = setTimeout(() => {
      delay = Math.max(0, histogram.mean / 1e6 - resolution) || 0
      histogram.disable()
      sampledAt = performance.now()
      sample = undefined
    }, sampleMilliseconds).unref()
  }
  return {
    stretch() {
      if (!sample) takeSample()
      const waiting = waitingPerConnection(machines) / 2
      return 1 + (maxStretch - 1) * Math.min(1, Math.max(delay / maxDelay, waiting))
    },
    close() {
      clearTimeout(sample)
      histogram.disable()
    },
  }
}
