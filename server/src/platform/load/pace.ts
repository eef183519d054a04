import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** Lets bytes pass at a limited rate. All who share it have that rate together. */
export type Pacer = {
  bytesPerSecond: number
  /** Waits for the turn of this many bytes. */
  take(bytes: number): Promise<void>
}

export function openPacer(bytesPerSecond: number): Pacer {
  /** When everything that was taken has passed, by `performance.now()`. */
  let passedAt = 0
  return {
    bytesPerSecond,
    async take(bytes) {
      const now = performance.now()
      // What was not used before is lost: otherwise a pause would be followed by a burst.
      passedAt = Math.max(passedAt, now) + (bytes * 1_000) / bytesPerSecond
      if (passedAt > now) await sleep(passedAt - now)
    },
  }
}

/** Small enough that a hundred streams with one pacer get their turn before their readers take them for dead. */
const secondsPerSlice = 1 / 8

/** The same content at the rate of the slowest pacer. It begins at once and is not limited without one. */
export function paceStream(content: Readable, pacers: readonly Pacer[]): Readable {
  return pacers.length === 0 ? content : Readable.from(paced(content, pacers), { objectMode: false })
}

async function* paced(content: Readable, pacers: readonly Pacer[]) {
  const slowest = Math.min(...pacers.map(({ bytesPerSecond }) => bytesPerSecond))
  const sliceBytes = Math.max(1_024, Math.floor(slowest * secondsPerSlice))
  for await (const chunk of content as AsyncIterable<Buffer>)
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      const slice = chunk.subarray(from, from + sliceBytes)
      await Promise.all(pacers.map((pacer) => pacer.take(slice.length)))
      yield slice
    }
}
