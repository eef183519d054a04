import { constants, open } from 'node:fs/promises'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { routeNotFound } from '../platform/general-problems.ts'
import { answerBadUrl, answerClientError, requireHost, serverOptions } from '../platform/http/broken-requests.ts'
import { limitPipelining } from '../platform/http/pipelined-requests.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { addProblemAnswers } from '../platform/http/send-problem.ts'
import { closeSlowReaders } from '../platform/http/slow-readers.ts'
import type { DownloadRates } from '../platform/load/download-rates.ts'
import type { ContentStore } from './content-store.ts'

/**
 * Serves files by their SHA-256 to nearby computers. Knowing the hash authorises the download: the master server gives
 * it only to computers that may have the file.
 */
export function buildFileServer(
  store: ContentStore,
  logger: FastifyBaseLogger,
  downloadRates: DownloadRates,
): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    http: serverOptions,
    requestTimeout: serverOptions.requestTimeout,
    clientErrorHandler: answerClientError,
    frameworkErrors: answerBadUrl,
  })
  addProblemAnswers(app)
  requireHost(app)
  limitPipelining(app)
  closeSlowReaders(app)
  app.get('/health', () => ({ status: 'ok' }))
  app.get<{ Params: { sha256: string } }>('/files/:sha256', async (request, reply) => {
    const { sha256 } = request.params
    if (!/^[\da-f]{64}$/.test(sha256)) throw routeNotFound()
    const file = await open(store.pathOf(sha256), constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? routeNotFound() : error
    })
    const { size } = await file.stat()
    return sendFile(request, reply, { file, size, etag: `"${sha256}"` }, { pacers: downloadRates(request) })
  })
  return app
}
