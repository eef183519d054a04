import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { eventStreamType } from '../operation.ts'

/** In a minute, even a line with 10 kbit/s transfers this much. */
const windowMs = 60_000
const minBytesPerWindow = 64 * 1024

/** What Node knows about a connection: what it counts, and the answer that is being sent. Its types leave that out. */
type Connection = {
  _handle?: { bytesWritten: number; writeQueueSize: number } | null
  _httpMessage?: ServerResponse | null
}

/**
 * Closes the connections of clients that request something and hardly read the answer: each would occupy memory, a
 * connection and a place among the downloads for as long as it likes. Clients on slow lines continue a file with the next
 * range. Streams of events have limits of their own: a connection is spared while one is the answer that is being sent.
 */
export function closeSlowReaders(app: FastifyInstance): void {
  /** The connections, and how many bytes each had taken at the last look; undefined if nothing waited to be taken. */
  const takenBytes = new Map<Socket, number | undefined>()
  const eventStreams = new WeakSet<ServerResponse>()

  function isSendingEvents(socket: Socket): boolean {
    const { _httpMessage: answer } = socket as Connection
    return answer ? eventStreams.has(answer) : false
  }

  function closeSlow(): void {
    for (const [socket, before] of takenBytes) {
      const isWatched = socket.writableLength > 0 && !isSendingEvents(socket)
      const taken = isWatched ? countTaken(socket) : undefined
      takenBytes.set(socket, taken)
      if (taken !== undefined && before !== undefined && taken - before < minBytesPerWindow) socket.destroy()
    }
  }

  const timer = setInterval(closeSlow, windowMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', async ({ raw: { socket } }) => {
    // Requests of tests have none.
    if (!(socket instanceof Socket) || takenBytes.has(socket)) return
    takenBytes.set(socket, undefined)
    socket.once('close', () => takenBytes.delete(socket))
  })
  // When the answer begins: a request for a stream may be refused, and that answer is no stream.
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    const isStream = routeOptions.config.operation?.answerType === eventStreamType && reply.statusCode === 200
    if (isStream) eventStreams.add(reply.raw)
  })
}

/** The bytes that the operating system has accepted: it does so as the client reads. */
function countTaken(socket: Socket): number | undefined {
  const { _handle: handle } = socket as Connection
  return handle ? handle.bytesWritten - handle.writeQueueSize : undefined
}
