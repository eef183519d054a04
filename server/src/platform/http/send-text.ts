import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Answers with text that is read while it is sent. The client sets the pace: the next part is read when the previous one
 * is sent. If the client goes away, the source is closed. If `requireAccess` throws, the answer breaks off before the next
 * part.
 */
export async function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  source: AsyncIterable<string>,
  requireAccess: () => Promise<void> = async () => {},
): Promise<FastifyReply> {
  const parts = source[Symbol.asyncIterator]()
  // Before the answer begins so that a read that fails at once is answered with a problem.
  const first = await parts.next()
  if (first.done || request.method === 'HEAD') {
    await parts.return?.()
    return reply.send(Readable.from([]))
  }
  return reply.send(Readable.from(continueAfter(first.value, parts, requireAccess)))
}

async function* continueAfter(
  first: string,
  others: AsyncIterator<string>,
  requireAccess: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    yield first
    for (let next = await others.next(); !next.done; next = await others.next()) {
      await requireAccess()
      yield next.value
    }
  } finally {
    await others.return?.()
  }
}
