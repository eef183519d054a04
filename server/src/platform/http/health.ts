import type { FastifyInstance } from 'fastify'
import type { Lane } from '../../database/connect.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'

// A database that hangs counts as unavailable.
const probe = { text: 'select 1', query_timeout: 3_000 }

/** Adds the health check for load balancers and monitoring. It is not part of the OpenAPI document. */
export function addHealth(app: FastifyInstance, reads: Lane): void {
  app.get('/health', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await reads.query(probe)
      return { status: 'ok' }
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      reply.code(503).header('retry-after', '2')
      return { status: 'unavailable', reason: 'The database cannot be reached.' }
    }
  })
}
