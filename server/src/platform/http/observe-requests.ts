import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../metrics/metrics.ts'

/** A client may bring its own request id, as long as it can be printed in a log line. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A part of the path is a secret, so that the log shows the pattern of the route instead. */
    hasSecretPath?: boolean
  }
}

// Where a machine can send nothing but an address, its token stands there.
const signedToken = /\beyJ[\w-]*\.[\w-]*\.[\w-]*/g

/** One log line and one observation for each request. Neither headers nor bodies nor queries are logged. */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    // Answers belong to the principal that asked.
    reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation?.id ?? request.routeOptions.url ?? 'unknown route'
    metrics.observeRequest(operation, reply.statusCode, reply.elapsedTime / 1000)
    request.log.info(
      {
        operation,
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        principal: request.caller?.principal.id,
        address: request.ip,
      },
      'request',
    )
  })
}

function pathOf({ url, routeOptions }: FastifyRequest): string | undefined {
  if (routeOptions.config.hasSecretPath) return routeOptions.url
  return url.split('?', 1)[0]?.replace(signedToken, '[token]')
}
