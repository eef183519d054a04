import type { IncomingMessage } from 'node:http'
import { parseTraceparent, type TraceContext } from '@muster/http/trace-context'
import type { FastifyBaseLogger } from 'fastify'
import type { Tracing } from './tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace
  }
}

/** The trace of a request, and the span of the request in it. */
export type RequestTrace = TraceContext & {
  /** Of the caller, if it has sent a trace. */
  parentSpanId: string | undefined
}

type Headers = Pick<IncomingMessage, 'headers'>

/**
 * The trace that the caller has sent, or a new one. Its ids come from the id of the request, which is random already, so they cost
 * nothing, and each leads to the other.
 */
export function traceOfRequest({ headers }: Headers, requestId: string, tracing?: Tracing): RequestTrace {
  const ownId = requestId.replaceAll('-', '')
  const given = parseTraceparent(headers.traceparent)
  const traceId = given?.traceId ?? ownId
  const isSampled = given ? given.isSampled : (tracing?.isSampled(traceId) ?? false)
  return { traceId, spanId: ownId.slice(16), parentSpanId: given?.spanId, isSampled }
}

/** Adds the trace to all lines of the log about a request. */
export function traceRequestLog(
  logger: FastifyBaseLogger,
  bindings: Record<string, unknown>,
  options: object,
  request: Headers,
): FastifyBaseLogger {
  const { traceId } = traceOfRequest(request, String(bindings.reqId))
  return logger.child({ ...bindings, traceId }, options)
}
