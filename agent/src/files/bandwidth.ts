import { setTimeout as sleep } from 'node:timers/promises'

/** Limits how fast this computer downloads the files of packages. */
export type Bandwidth = {
  /** 0: no limit. A download in progress follows at once. */
  setLimit(kilobytesPerSecond: number): void
  /** Bytes per second; infinite without a limit. */
  maxRate(): number
  /** Waits until this many bytes more may have arrived. */
  take(bytes: number, signal: AbortSignal): Promise<void>
}

/** The service closes connections that are read more slowly, and sources would count as silent. */
const minKilobytesPerSecond = 8

export function openBandwidth(): Bandwidth {
  let rate = Number.POSITIVE_INFINITY
  /** When everything that was taken has arrived, by `performance.now()`. */
  let arrivedAt = 0
  return {
    setLimit(kilobytesPerSecond) {
      rate =
        kilobytesPerSecond > 0 ? Math.max(minKilobytesPerSecond, kilobytesPerSecond) * 1_000 : Number.POSITIVE_INFINITY
    },
    maxRate: () => rate,
    async take(bytes, signal) {
      const now = performance.now()
      // What was not used before is lost: otherwise a pause would be followed by a burst.
      arrivedAt = Math.max(arrivedAt, now) + (bytes * 1_000) / rate
      if (arrivedAt > now) await sleep(arrivedAt - now, undefined, { signal })
    },
  }
}
