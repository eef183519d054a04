import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { tooManyRequests } from '../general-problems.ts'
import { eventStreamType } from '../operation.ts'

/** No client of the service sends a request before it has the answer to the previous one, and browsers do not either. */
const maxOpenRequests = 16

/** What a connection has requested and has not got yet. */
type OpenRequests = { all: number; streams: number }

/**
 * Refuses requests of a connection on which many others wait for their answers. Node begins with every request that it
 * receives, so one connection could otherwise fill all queues. A request behind a stream of events is refused as well: its
 * answer would wait until the stream ends, and keep its place among the downloads until then.
 */
export function limitPipelining(app: FastifyInstance): void {
  const openRequests = new WeakMap<Socket, OpenRequests>()
  app.addHook('onRequest', async ({ raw: { socket }, routeOptions }, reply) => {
    const open = openRequests.get(socket) ?? { all: 0, streams: 0 }
    openRequests.set(socket, open)
    const isRefused = open.all >= maxOpenRequests || open.streams > 0
    const streams = routeOptions.config.operation?.answerType === eventStreamType ? 1 : 0
    open.all++
    open.streams += streams
    reply.raw.once('close', () => {
      open.all--
      open.streams -= streams
    })
    if (isRefused) throw tooManyRequests().withHeaders({ 'retry-after': '1', connection: 'close' })
  })
}
