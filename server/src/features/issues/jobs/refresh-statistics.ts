import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../../database/connect.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { refreshFleetStatistics } from '../fleet-statistics.ts'

const secondsBetween = 60
/** However large the fleet: of the time, at most one part in so many is spent counting. */
const shareOfTime = 20

/** Counts the fleet once a minute, on whichever node comes first. */
export function keepStatisticsCurrent(db: Database, logger: FastifyBaseLogger): () => Promise<void> {
  const stopping = new AbortController()
  const work = keepCounting(db, logger, stopping.signal)
  return async () => {
    stopping.abort()
    await work
  }
}

async function keepCounting(db: Database, logger: FastifyBaseLogger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const start = performance.now()
    await refreshFleetStatistics(db, secondsBetween / 2, signal).catch((error: unknown) => {
      if (!signal.aborted && !isDatabaseUnavailable(error))
        logger.error({ err: error }, 'The fleet could not be counted.')
    })
    const pause = Math.max(secondsBetween * 1_000, shareOfTime * (performance.now() - start))
    await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
