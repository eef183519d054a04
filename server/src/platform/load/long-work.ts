import type { FastifyRequest } from 'fastify'
import type { Lane } from '../../database/connect.ts'
import { databaseBusy } from '../general-problems.ts'

/** Runs changes whose cost grows with the fleet, a few at a time. Those that wait need no database connection. */
export type LongWork = { run<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> }

const maxWaiting = 100
const retryAfterSeconds = '30'

/** Left for a change that also needs a connection for its lock, and for the statistics of the fleet. */
const otherConnections = 2

/** Others wait in the order of their arrival. */
export function openLongWork({ pool }: Lane): LongWork {
  const width = Math.max(1, pool.options.max - otherConnections)
  const waiting: (() => void)[] = []
  let running = 0

  async function start(): Promise<void> {
    if (running < width) {
      running++
      return
    }
    if (waiting.length >= maxWaiting) throw databaseBusy().withHeaders({ 'retry-after': retryAfterSeconds })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function end(): void {
    const next = waiting.shift()
    // The next one takes over the place of this one.
    if (next) next()
    else running--
  }

  return {
    async run(request, work) {
      await start()
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
