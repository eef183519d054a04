import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { tooManyRequests } from '../general-problems.ts'

/** No client of the service sends a request before it has the answer to the previous one, and browsers do not either. */
const maxOpenRequests = 16

/**
 * Refuses requests of a connection on which many others wait for their answers. Node begins with every request that it
 * receives, so one connection could otherwise fill all queues.
 */
export function limitPipelining(app: FastifyInstance): void {
  const openRequests = new WeakMap<Socket, number>()
  app.addHook('onRequest', async ({ raw }, reply) => {
    const { socket } = raw
    const open = (openRequests.get(socket) ?? 0) + 1
    openRequests.set(socket, open)
    reply.raw.once('close', () => openRequests.set(socket, (openRequests.get(socket) ?? 1) - 1))
    if (open > maxOpenRequests) throw tooManyRequests().withHeaders({ 'retry-after': '1', connection: 'close' })
  })
}
