import type pg from 'pg'

/** The largest number of requests that waited at once for a connection of a lane while `run` ran. */
export async function maxWaitingRequests({ pool }: { pool: pg.Pool }, run: () => Promise<unknown>): Promise<number> {
  let max = 0
  const timer = setInterval(() => {
    max = Math.max(max, pool.waitingCount)
  }, 1)
  await run().finally(() => clearInterval(timer))
  return max
}
