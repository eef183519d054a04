import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import { forgetUnusedEntries } from '../domain/inventory/dictionaries.ts'

const hour = 3_600_000

/** Every node looks once an hour for products and services that no computer has any more. */
export function forgetUnusedSoftwareHourly(db: Database, logger: FastifyBaseLogger): () => Promise<void> {
  const stopping = new AbortController()
  let run = Promise.resolve()
  const timer = setInterval(() => {
    run = forgetUnusedEntries(db, stopping.signal).then(
      (forgotten) => (forgotten > 0 ? logger.info({ forgotten }, 'Unused inventory entries were removed.') : undefined),
      (error: unknown) => logger.error({ err: error }, 'Unused inventory entries could not be removed.'),
    )
  }, hour)
  timer.unref()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await run
  }
}
