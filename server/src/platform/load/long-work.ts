import type { FastifyRequest } from 'fastify'
import type { Lane } from '../../database/connect.ts'
import { databaseBusy } from '../general-problems.ts'
import { NoPlaceFree, openPlaces } from './places.ts'

/** Runs changes whose cost grows with the fleet, a few at a time. Those that wait need no database connection. */
export type LongWork = { run<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> }

const maxWaiting = 100
const retryAfterSeconds = '30'

/** Left for a change that also needs a connection for its lock, and for the statistics of the fleet. */
const otherConnections = 2

/** Others wait in the order of their arrival. */
export function openLongWork({ pool }: Lane): LongWork {
  const places = openPlaces({ max: Math.max(1, pool.options.max - otherConnections), maxWaiting })
  return {
    async run(request, work) {
      const end = await places.take().catch((error: unknown) => {
        if (!(error instanceof NoPlaceFree)) throw error
        throw databaseBusy().withHeaders({ 'retry-after': retryAfterSeconds })
      })
      try {
        // Nobody waits for the answer any more: the client has gone or repeats the change.
        if (request.socket.destroyed) throw databaseBusy()
        return await work()
      } finally {
        end()
      }
    },
  }
}
