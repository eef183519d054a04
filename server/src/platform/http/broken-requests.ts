import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { headersTooLarge, invalidRequest, methodNotAllowed, requestTimeout } from '../general-problems.ts'
import type { Problem, ProblemKind } from '../problem.ts'
import { problemJson, sendProblem, toProblem } from './send-problem.ts'

// A missing Host is left to `requireHost`, because Node would answer it without a body.
export const serverOptions = { requireHostHeader: false, requestTimeout: 120_000 }

const byErrorCode = new Map<string | undefined, ProblemKind>([
  ['ERR_HTTP_REQUEST_TIMEOUT', requestTimeout],
  ['HPE_HEADER_OVERFLOW', headersTooLarge],
])

/** Answers bytes that never become a request. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } | null }
  // Into an answer that has begun, nothing can be written.
  if (answer?.headersSent) socket.destroy()
  else endWith(socket, (byErrorCode.get(code) ?? invalidRequest)({ detail: 'The request is not valid HTTP.' }))
}

/** Answers an address that cannot be decoded, or that is too long. */
export function answerBadAddress(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  void sendProblem(request, reply, toProblem(error, undefined))
}

/** Answers what HTTP allows but this service does not offer. */
export function answerOddRequests(server: Server): void {
  server.on('connect', (_request, socket) => endWith(socket, methodNotAllowed()))
  // An expectation that is not known need not be met (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** RFC 9112, section 3.2. */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      throw invalidRequest({ detail: 'The header Host is missing.' })
  })
}

function endWith(socket: Duplex, problem: Problem): void {
  if (!socket.writable) return
  const { status } = problem.kind
  const body = problemJson(problem)
  socket.on('error', () => {})
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  // At once would lose the answer where the client still sends; never would keep the connection for its pleasure.
  setTimeout(() => socket.destroy(), 1_000).unref()
}
