import {
  approvalRequired,
  databaseBusy,
  databaseUnavailable,
  forbidden,
  idempotencyKeyReused,
  identityProviderUnavailable,
  internalError,
  invalidRequest,
  payloadTooLarge,
  preconditionFailed,
  rangeNotSatisfiable,
  resourceBusy,
  resourcesExhausted,
  tooManyApprovals,
  tooManyRequests,
  unauthorized,
  unexpectedCount,
  unsupportedApiVersion,
  unsupportedMediaType,
  uriTooLong,
} from '../general-problems.ts'
import { type AnyOperation, fileType, isForPrincipals, takesIdempotencyKey } from '../operation.ts'
import type { ProblemKind } from '../problem.ts'
import { isRole } from '../roles.ts'

/** All problems that an operation can answer with: those that it declares and those of the request pipeline. */
export function problemsOf(operation: AnyOperation): ProblemKind[] {
  return [
    invalidRequest,
    unsupportedApiVersion,
    ...(operation.role === 'no token' ? [] : [unauthorized]),
    // Only an operation that also checks another role declares it as well.
    ...(isRole(operation.role) && !operation.problems.includes(forbidden) ? [forbidden] : []),
    ...operation.problems,
    ...(operation.massAction ? [unexpectedCount] : []),
    ...(operation.destructive || operation.removals ? [approvalRequired, tooManyApprovals] : []),
    ...(operation.changes ? [preconditionFailed] : []),
    ...(readsBody(operation) ? [payloadTooLarge, unsupportedMediaType] : []),
    ...(hasPathParameters(operation) ? [uriTooLong] : []),
    ...(takesIdempotencyKey(operation) ? [idempotencyKeyReused] : []),
    ...(operation.answerType === fileType ? [rangeNotSatisfiable] : []),
    ...(operation.rateLimit && !operation.countsRequests ? [tooManyRequests] : []),
    internalError,
    ...(isForPrincipals(operation) ? [identityProviderUnavailable] : []),
    ...(operation.execution.kind === 'WithoutDatabase' ? [] : problemsOfDatabase(operation)),
  ]
}

function problemsOfDatabase({ problems }: AnyOperation): ProblemKind[] {
  return [
    databaseUnavailable,
    databaseBusy,
    // Only an operation that raises it itself declares it as well.
    ...(problems.includes(resourceBusy) ? [] : [resourceBusy]),
    resourcesExhausted,
  ]
}

/** Also without a declared body: the service reads whatever a request other than GET sends before it ignores it. */
function readsBody({ method }: AnyOperation): boolean {
  return method !== 'GET'
}

function hasPathParameters({ path }: AnyOperation): boolean {
  return path.includes(':')
}
