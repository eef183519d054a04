import { fastifyCookie } from '@fastify/cookie'
import cors from '@fastify/cors'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Configuration } from './platform/configuration.ts'
import {
  answerBadUrl,
  answerClientError,
  answerUnsupportedRequests,
  requireHost,
  serverOptions,
} from './platform/http/broken-requests.ts'
import { showRateLimits } from './platform/http/count-request.ts'
import { addJsonParser } from './platform/http/json-body.ts'
import { newRequestId } from './platform/http/observe-requests.ts'
import { limitPipelining } from './platform/http/pipelined-requests.ts'
import { addProblemAnswers } from './platform/http/send-problem.ts'
import { closeSlowReaders } from './platform/http/slow-readers.ts'
import { referencePage } from './platform/openapi/serve.ts'
import { bytesType } from './platform/operation.ts'
import { traceRequestLog } from './platform/tracing/request-trace.ts'
import { answerUnknownPages } from './web/unknown-pages.ts'

/** Headers of answers about uploads, which clients of tus read. */
const tusHeaders = ['Tus-Resumable', 'Tus-Version', 'Upload-Offset', 'Upload-Length', 'Upload-Expires']

/** The HTTP server without operations. It reads requests, and answers those that cannot be read or that nobody expects. */
export async function openHttp(
  configuration: Configuration,
  logger: FastifyBaseLogger | undefined,
  consoleFolder: string,
): Promise<FastifyInstance> {
  const http = createHttp(configuration, logger)
  http.decorate('isPublicOverHttps', configuration.publicUrl?.startsWith('https:') ?? false)
  await addParsers(http, configuration, consoleFolder)
  return http
}

function createHttp(configuration: Configuration, logger: FastifyBaseLogger | undefined): FastifyInstance {
  return Fastify({
    ...(logger && { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    childLoggerFactory: traceRequestLog,
    bodyLimit: configuration.bodyLimitBytes,
    trustProxy: configuration.trustedProxies.length > 0 ? configuration.trustedProxies : false,
    http: serverOptions,
    requestTimeout: serverOptions.requestTimeout,
    // Requests on open connections are still answered while the service is stopping.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: answerBadUrl,
    routerOptions: { maxParamLength: 255 },
    rewriteUrl: ({ url = '/' }) => (url === referencePage ? `${referencePage}/` : url),
  })
}

function corsOptions({ corsOrigins }: Configuration) {
  return {
    origin: corsOrigins.includes('*') ? '*' : corsOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'ETag',
      'Link',
      'Location',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Deprecation',
      'Sunset',
      'X-Request-Id',
      'Muster-Dry-Run',
      'Idempotency-Replayed',
      ...tusHeaders,
    ],
    maxAge: 600,
  }
}

/** Adds what reads requests, and what answers those that cannot be read. */
async function addParsers(http: FastifyInstance, configuration: Configuration, consoleFolder: string): Promise<void> {
  addProblemAnswers(http, answerUnknownPages(http, consoleFolder))
  showRateLimits(http)
  answerUnsupportedRequests(http.server)
  addJsonParser(http)
  await http.register(formbody, { bodyLimit: 16_384 })
  // Not read here: the operation that receives them stores them as they arrive.
  http.addContentTypeParser(bytesType, (_request, bytes, take) => take(null, bytes))
  // Cookies are parsed only where they are used, because requests of programs have none.
  await http.register(fastifyCookie, { hook: false })
  if (configuration.corsOrigins.length > 0) await http.register(cors, corsOptions(configuration))
}

/** Adds what refuses requests, or closes connections, for the way in which a client uses its connection. */
export function limitConnectionUse(http: FastifyInstance): void {
  requireHost(http)
  limitPipelining(http)
  closeSlowReaders(http)
}
