import {
  databaseUnavailable,
  forbidden,
  idempotencyKeyReused,
  internalError,
  invalidRequest,
  payloadTooLarge,
  preconditionFailed,
  rangeNotSatisfiable,
  tooManyRequests,
  unauthorized,
  unsupportedApiVersion,
  unsupportedMediaType,
} from '../general-problems.ts'
import { type AnyOperation, fileType, isRole, takesIdempotencyKey } from '../operation.ts'
import type { ProblemKind } from '../problem.ts'

/** Every problem that an operation can answer with: those it declares, and those of the frame. */
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
    databaseUnavailable,
  ]
}
