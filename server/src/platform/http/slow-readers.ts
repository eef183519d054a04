import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { eventStreamType } from '../operation.ts'

/** In a minute, even a line with 10 kbit/s transfers this much. */
const windowMs = 60_000
const minBytesPerWindow = 64 * 1024

/** What Node counts for a connection. Its types leave the handle out. */
type Counted = { _handle?: { bytesWritten: number; writeQueueSize: number } | null }

/**
 * Closes the connections of clients that request something and hardly read the answer: each would occupy memory, a
 * connection and a place among the downloads for as long as it likes. Clients on slow lines continue a file with the next
 * range. Streams of events have limits of their own.
 */
export function closeSlowReaders(app: FastifyInstance): void {
  /** The connections, and how many bytes each had taken at the last look; undefined if nothing waited to be taken. */
  const takenBytes = new Map<Socket, number | undefined>()

  function closeSlow(): void {
    for (const [socket, before] of takenBytes) {
      const taken = socket.writableLength > 0 ? countTaken(socket) : undefined
      takenBytes.set(socket, taken)
      if (taken !== undefined && before !== undefined && taken - before < minBytesPerWindow) socket.destroy()
    }
  }

  const timer = setInterval(closeSlow, windowMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', async ({ raw: { socket }, routeOptions }) => {
    // Requests of tests have none.
    if (!(socket instanceof Socket)) return
    if (routeOptions.config.operation?.answerType === eventStreamType) takenBytes.delete(socket)
    else if (!takenBytes.has(socket)) {
      takenBytes.set(socket, undefined)
      socket.once('close', () => takenBytes.delete(socket))
    }
  })
}

/** The bytes that the operating system has accepted: it does so as the client reads. */
function countTaken(socket: Socket): number | undefined {
  const { _handle: handle } = socket as Counted
  return handle ? handle.bytesWritten - handle.writeQueueSize : undefined
}
