import {
  databaseUnavailable,
  forbidden,
  idempotencyKeyReused,
  internalError,
  invalidRequest,
  payloadTooLarge,
  preconditionFailed,
  unauthorized,
  unsupportedApiVersion,
  unsupportedMediaType,
} from '../general-problems.ts'
import type { AnyOperation } from '../operation.ts'
import type { ProblemKind } from '../problem.ts'

/** Every problem that an operation can answer with: those it declares, and those of the frame. */
export function problemsOf(operation: AnyOperation): ProblemKind[] {
  const needsToken = operation.role !== 'no token'
  return [
    invalidRequest,
    unsupportedApiVersion,
    ...(needsToken ? [unauthorized] : []),
    ...(needsToken && operation.role !== 'any valid token' ? [forbidden] : []),
    ...operation.problems,
    ...(operation.changes ? [preconditionFailed] : []),
    ...(operation.body ? [payloadTooLarge, unsupportedMediaType] : []),
    ...(operation.mutates && operation.method === 'POST' ? [idempotencyKeyReused] : []),
    internalError,
    databaseUnavailable,
  ]
}
