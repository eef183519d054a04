import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Lets reads of the whole fleet run, and holds them back where others would have to wait for them. */
export type FleetReads = { run<T>(read: () => Promise<T>): Promise<T> }

/** So many others at the database are more than one of them at a time, and less than a node at its limit has. */
const fewOthers = 4
/** A pause against the read before it, so that reads of the fleet get a third of the time. */
const pauseRatio = 2
const longestPause = 5_000
const longestWait = 10_000

const milliseconds = (count: number) => sleep(count, undefined, { ref: false })

/**
 * While many others use the database, reads of the whole fleet run one after the other, with pauses in between: somebody
 * who asks again and again slows down himself, and not the agents.
 */
export function openFleetReads(pool: pg.Pool): FleetReads {
  let running = 0
  let turn: Promise<unknown> = Promise.resolve()

  const isBusy = () => pool.totalCount - pool.idleCount + pool.waitingCount - running >= fewOthers

  async function timed<T>(read: () => Promise<T>): Promise<{ result: T; took: number }> {
    const start = performance.now()
    running++
    try {
      return { result: await read(), took: performance.now() - start }
    } finally {
      running--
    }
  }

  return {
    async run(read) {
      if (!isBusy()) return (await timed(read)).result
      const mine = Promise.race([turn, milliseconds(longestWait)]).then(() => timed(read))
      turn = mine.then(
        ({ took }) => milliseconds(Math.min(pauseRatio * took, longestPause)),
        () => {},
      )
      return (await mine).result
    },
  }
}
