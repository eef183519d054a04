import {
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
  tooManyRequests,
  unauthorized,
  unsupportedApiVersion,
  unsupportedMediaType,
} from '../general-problems.ts'
import { type AnyOperation, fileType, isRole, takesIdempotencyKey } from '../operation.ts'
import type { ProblemKind } from '../problem.ts'

/** All problems that an operation can answer with: those that it declares and those of the request pipeline. */
export function problemsOf(operation: AnyOperation): ProblemKind[] {
  return [
    invalidRequest,
    unsupportedApiVersion,
    ...(operation.role === 'no token' ? [] : [unauthorized]),
    ...(isRole(operation.role) ? [forbidden] : []),
    ...operation.problems,
    ...(operation.changes ? [preconditionFailed] : []),
    ...(operation.body ? [payloadTooLarge, unsupportedMediaType] : []),
    ...(takesIdempotencyKey(operation) ? [idempotencyKeyReused] : []),
    ...(operation.answerType === fileType ? [rangeNotSatisfiable] : []),
    ...(operation.rateLimit ? [tooManyRequests] : []),
    internalError,
    ...(isForPrincipals(operation) ? [identityProviderUnavailable] : []),
    databaseUnavailable,
    databaseBusy,
    // Only an operation that raises it itself declares it as well.
    ...(operation.problems.includes(resourceBusy) ? [] : [resourceBusy]),
    resourcesExhausted,
  ]
}

function isForPrincipals({ role }: AnyOperation): boolean {
  return role !== 'no token' && role !== 'machine'
}
