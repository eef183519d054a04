import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectedDatabase } from '../../database/connect.ts'
import { isDatabaseBusy } from './database-load.ts'

/** Runs reads of the whole fleet, and delays them while the database is busy with other requests. */
export type FleetReads = { run<T>(read: () => Promise<T>): Promise<T> }

/** The pause after a read, as a multiple of its duration: fleet-wide reads get at most a third of the time. */
const pauseRatio = 2
const maxPause = 5_000
const maxWait = 10_000

const pause = (milliseconds: number) => sleep(milliseconds, undefined, { ref: false })

/**
 * While the database is busy, fleet-wide reads run one after the other, with pauses in between. A client that repeats
 * such reads slows down itself and not the agents.
 */
export function openFleetReads(lanes: ConnectedDatabase['lanes']): FleetReads {
  let previous: Promise<unknown> = Promise.resolve()

  const isBusy = () => isDatabaseBusy(lanes, 'fleetReads')

  async function measure<T>(read: () => Promise<T>): Promise<{ result: T; duration: number }> {
    const start = performance.now()
    return { result: await read(), duration: performance.now() - start }
  }

  return {
    async run(read) {
      if (!isBusy()) return (await measure(read)).result
      const current = Promise.race([previous, pause(maxWait)]).then(() => measure(read))
      previous = current.then(
        ({ duration }) => pause(Math.min(pauseRatio * duration, maxPause)),
        () => {},
      )
      return (await current).result
    },
  }
}
