import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { isDatabaseUnavailable } from '../../database/errors.ts'

// A database that hangs is out of reach, too. `query_timeout` is known to pg, but not to its types.
const soon = { text: 'select 1', query_timeout: 3_000 }

/** Tells whoever asks whether the service can do its work. Not part of the published description. */
export function addHealth(app: FastifyInstance, pool: pg.Pool): void {
  app.get('/health', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await pool.query(soon)
      return { status: 'ok' }
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      reply.code(503).header('retry-after', '2')
      return { status: 'unavailable', reason: 'The database is out of reach.' }
    }
  })
}
