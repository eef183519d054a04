import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { headersTooLarge, invalidRequest, methodNotAllowed, requestTimeout } from '../general-problems.ts'
import type { Problem, ProblemKind } from '../problem.ts'
import { problemJson, sendProblem, toProblem } from './send-problem.ts'

// `requireHost` checks for a missing Host header, because Node would answer without a body.
export const serverOptions = { requireHostHeader: false, requestTimeout: 120_000, headersTimeout: 20_000 }

const problemsByErrorCode = new Map<string | undefined, ProblemKind>([
  ['ERR_HTTP_REQUEST_TIMEOUT', requestTimeout],
  ['HPE_HEADER_OVERFLOW', headersTooLarge],
])

/** `rawPacket`: the bytes that the parser refused. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: unknown }

/** Answers bytes that are not a valid HTTP request. */
export function answerClientError({ code, rawPacket }: ClientError, socket: Duplex): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } | null }
  // A second answer must not be written into one that has been started.
  if (answer?.headersSent) socket.destroy()
  else {
    const problem = (problemsByErrorCode.get(code) ?? invalidRequest)({ detail: 'The request is not valid HTTP.' })
    // The client would take a body for the beginning of the next answer (RFC 9110, section 9.3.2).
    const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
    endWith(socket, problem, { hasBody: !isHead })
  }
}

/** Answers a request whose URL cannot be decoded or is too long. */
export function answerBadUrl(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  void sendProblem(request, reply, toProblem(error, undefined))
}

/** Answers requests that HTTP allows and this service does not support. */
export function answerUnsupportedRequests(server: Server): void {
  server.on('connect', (_request, socket) => endWith(socket, methodNotAllowed()))
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Refuses requests without a Host header (RFC 9112, section 3.2). */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      throw invalidRequest({ detail: 'The header Host is missing.' })
  })
}

function endWith(socket: Duplex, problem: Problem, { hasBody } = { hasBody: true }): void {
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
      hasBody ? body : '',
    ].join('\r\n'),
  )
  // Closing at once would lose the answer if the client is still sending; the client must not keep the connection open.
  setTimeout(() => socket.destroy(), 1_000).unref()
}
