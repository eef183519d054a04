import type { FastifyReply } from 'fastify'
import { eventStreamType } from '../operation.ts'
import type { QuietStream } from './quiet-stream.ts'

/**
 * Sends the headers and hands the answer over. There may be tens of thousands of such answers, so nothing is allocated for
 * one besides what Node has allocated for the request: no stream, no timer.
 */
export function sendQuietStream(reply: FastifyReply, stream: QuietStream): FastifyReply {
  reply
    .type(eventStreamType)
    // Proxies that collect an answer before they forward it would delay it.
    .header('x-accel-buffering', 'no')
    .header('connection', 'close')
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200)
  raw.flushHeaders()
  stream.begin(raw)
  return reply
}
