import type { FastifyInstance } from 'fastify'
import type { Lane } from '../../database/connect.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { LaneDeadline, probeLane } from '../health/lane-probe.ts'

const deadlineMs = 3_000

/** Adds the health check of the contract. It is not part of the OpenAPI document. */
export function addHealth(app: FastifyInstance, reads: Lane): void {
  let asking: Promise<unknown> | undefined

  /** Requests that arrive meanwhile share the answer: a flood of health checks must not become one of statements. */
  function ask(): Promise<unknown> {
    asking ??= probeLane(reads, 'select 1', deadlineMs).finally(() => {
      asking = undefined
    })
    return asking
  }

  app.get('/health', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await ask()
      return { status: 'ok' }
    } catch (error) {
      if (!(error instanceof LaneDeadline) && !isDatabaseUnavailable(error)) throw error
      reply.code(503).header('retry-after', '2')
      return { status: 'unavailable', reason: 'The database cannot be reached.' }
    }
  })
}
