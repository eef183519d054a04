import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { routeNotFound } from '../general-problems.ts'
import { answerClientError, answerUnsupportedRequests, serverOptions } from './broken-requests.ts'
import { problemJson } from './send-problem.ts'

const bootRequests = new WeakSet<IncomingMessage>()

/** Whether the request arrived at the listener that serves only network boot. */
export function isFromBootListener(request: IncomingMessage): boolean {
  return bootRequests.has(request)
}

/**
 * Listens in the clear for firmware, which often cannot check certificates. Nothing else is served there: no token, page or
 * agent can be made to use it. The path is compared as it was sent, as the router does.
 */
export async function listenForBoot(app: FastifyInstance, host: string, port: number): Promise<Server> {
  const server = createServer(serverOptions, (request, response) => {
    if (!isBootPath(request.url ?? '')) return refuse(response)
    bootRequests.add(request)
    app.routing(request, response)
  })
  server.on('clientError', answerClientError)
  answerUnsupportedRequests(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}

function isBootPath(url: string): boolean {
  return url.startsWith('/boot/') || /^\/health(\?|$)/.test(url)
}

function refuse(response: ServerResponse): void {
  const problem = routeNotFound({
    detail: 'This port serves only network boot and /health. Use HTTPS for everything else.',
  })
  response.writeHead(problem.kind.status, { 'content-type': 'application/problem+json', connection: 'close' })
  response.end(problemJson(problem))
}
