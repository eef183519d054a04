import type { FastifyRequest } from 'fastify'
import { databaseBusy } from '../general-problems.ts'

/** Runs changes whose cost grows with the fleet, a few at a time. Those that wait need no database connection. */
export type LongWork = { run<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> }

const maxWaiting = 100
const retryAfterSeconds = '30'

/** At most `width` changes run at once. Others wait in the order of their arrival. */
export function openLongWork(width: number): LongWork {
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
