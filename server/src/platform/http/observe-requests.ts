import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { preciseNow, type Span } from '../../database/traced-work.ts'
import type { Health } from '../health/health.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { traceOfRequest } from '../tracing/request-trace.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** The id of a request is always our own: one that callers choose could imitate that of another request. */
export const newRequestId = (): string => randomUUID()

const maxCallerRequestIdLength = 128

/** The request id that the caller sent, shortened and without characters that are unsafe to log. */
export function findCallerRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = headers['x-request-id']
  if (typeof given !== 'string' || given === '') return undefined
  return given.slice(0, maxCallerRequestIdLength).replaceAll(/[^\w.:-]/g, '_')
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the path contains a secret. The log then shows the pattern of the route instead. */
    hasSecretPath?: boolean
  }
}

// Firmware can only send a URL, so its token is part of it.
const signedToken = /\beyJ[\w-]*\.[\w-]*\.[\w-]*/g

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export type Observers = {
  metrics: Metrics
  health: Health
  tracing?: Tracing | undefined
  /** Called after each request that may have changed something: its transaction has ended by then. */
  noteActivity?: (() => void) | undefined
}

/** Logs and measures every request. Headers, bodies and query strings are not logged. */
export function observeRequests(app: FastifyInstance, { metrics, health, tracing, noteActivity }: Observers): void {
  app.addHook('onRequest', async (request, reply) => {
    health.noteRequest()
    request.trace = traceOfRequest(request, request.id, tracing)
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    // Answers are for the caller alone and must not be cached for others.
    reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    if (!readMethods.has(request.method)) noteActivity?.()
    const route = request.pathOfOtherMethods ?? request.routeOptions.url ?? 'unknown route'
    const operation = request.routeOptions.config.operation?.id ?? route
    metrics.observeRequest({
      operation,
      method: request.method,
      route,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    })
    if (tracing && request.trace.isSampled) tracing.recordSpan(spanOf(request, reply, { operation, route }))
    request.log.info(
      {
        operation,
        method: request.method,
        path: pathToLog(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        principal: request.caller?.principal.id,
        address: request.ip,
        callerRequestId: findCallerRequestId(request),
      },
      'request',
    )
  })
}

/** The path is left out: it can contain what the log hides. */
function spanOf(
  { trace, method }: FastifyRequest,
  reply: FastifyReply,
  names: { operation: string; route: string },
): Span {
  const { operation, route } = names
  const { elapsedTime, statusCode } = reply
  const endMs = preciseNow()
  return {
    name: `${method} ${route}`,
    kind: 'Server',
    trace,
    parentSpanId: trace.parentSpanId,
    startMs: endMs - elapsedTime,
    endMs,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': statusCode,
      'muster.operation': operation,
    },
    hasFailed: statusCode >= 500,
  }
}

// Secrets are longer than what people type to look around.
const longSegment = /[^/]{16,}/g

/**
 * A request without a route may be one with a wrong method, or a mistyped path, that contains a secret. Long parts of its
 * path are not logged.
 */
function pathToLog({ url, routeOptions, pathOfOtherMethods }: FastifyRequest): string | undefined {
  if (routeOptions.config.hasSecretPath) return routeOptions.url
  const path = url.split(/[?#]/, 1)[0]
  const hasRoute = pathOfOtherMethods !== undefined || (routeOptions.url !== undefined && routeOptions.url !== '*')
  return hasRoute ? path?.replace(signedToken, '[token]') : path?.replace(longSegment, '[long]')
}
