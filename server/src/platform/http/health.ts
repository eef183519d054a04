import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { isDatabaseUnavailable } from '../../database/errors.ts'

/** Tells whoever asks whether the service can do its work. Not part of the published description. */
export function addHealth(app: FastifyInstance, pool: pg.Pool): void {
  app.get('/health', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await pool.query('select 1')
      return { status: 'ok' }
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      reply.code(503).header('retry-after', '2')
      return { status: 'unavailable', reason: 'The database is out of reach.' }
    }
  })
}
