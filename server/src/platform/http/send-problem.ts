import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  isDatabaseUnavailable,
  isLockTimeout,
  isStatementCancelled,
  StatementQueueFull,
  violatedConstraint,
} from '../../database/errors.ts'
import {
  databaseBusy,
  databaseUnavailable,
  internalError,
  invalidRequest,
  payloadTooLarge,
  requestTimeout,
  resourceBusy,
  resourcesExhausted,
  routeNotFound,
  unauthorized,
  unsupportedMediaType,
  uriTooLong,
} from '../general-problems.ts'
import type { AnyOperation } from '../operation.ts'
import { Problem, type ProblemKind, problemDetails } from '../problem.ts'
import { isResourceExhausted } from '../resource-exhaustion.ts'

const problemsByStatus = new Map<number | undefined, ProblemKind>(
  [invalidRequest, requestTimeout, payloadTooLarge, uriTooLong, unsupportedMediaType].map((kind) => [
    kind.status,
    kind,
  ]),
)

/** The problem that the client gets for an error. Undeclared errors are faults: the client gets 500, the log the cause. */
export function toProblem(error: unknown, operation: AnyOperation | undefined): Problem {
  if (error instanceof Problem) return error
  const { statusCode, message } = error as { statusCode?: number; message?: string }
  // Before the database, because a client that disconnects causes the same error codes as a database that does.
  const requestProblem = problemsByStatus.get(statusCode)
  if (requestProblem) return requestProblem({ detail: message })
  if (isResourceExhausted(error)) return resourcesExhausted().withHeaders({ 'retry-after': '5' })
  if (isDatabaseUnavailable(error)) return databaseUnavailable().withHeaders({ 'retry-after': '2' })
  if (isLockTimeout(error)) return resourceBusy().withHeaders({ 'retry-after': '2' })
  if (isStatementCancelled(error) || error instanceof StatementQueueFull)
    return databaseBusy().withHeaders({ 'retry-after': '10' })
  const constraint = violatedConstraint(error)
  if (constraint === 'active_principal_check') return unauthorized()
  const declared = constraint && operation?.problems.find((kind) => kind.constraint === constraint)
  return declared ? declared() : internalError()
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { kind, headers } = problem
  reply.code(kind.status).headers(headers)
  if (kind.body) return reply.send(kind.body(problem))
  return reply.type('application/problem+json').send(problemJson(problem, request))
}

export function problemJson(problem: Problem, request?: FastifyRequest): string {
  return JSON.stringify(problemDetails(problem, request?.url, request?.id))
}

/** Answers a request for an unknown address, unless a problem is the right answer. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined

/** Answers every error with a problem and logs faults of the service with their cause. */
export function addProblemAnswers(app: FastifyInstance, answerUnknown: AnswerUnknown = () => undefined): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.routeOptions.config.operation)
    // A request that has to be sent again later is not a fault of the service.
    if (problem.kind.status >= 500)
      request.log[problem.kind.status === 503 ? 'warn' : 'error']({ err: error }, problem.kind.code)
    return sendProblem(request, reply, problem)
  })
  app.setNotFoundHandler(
    (request, reply) => answerUnknown(request, reply) ?? sendProblem(request, reply, routeNotFound()),
  )
}
