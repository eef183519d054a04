export {
  type AccessToken,
  type ClientCredentials,
  requestAccessToken,
  type TokenRequestOptions,
  type TokenSource,
} from './access-tokens.ts'
export { isLoopback, isSecureAddress } from './address.ts'
export { type Answer, answerOf, type Versioned, versionOf } from './answers.ts'
export { type ClientOptions, createMusterClient, type MusterClient } from './client.ts'
export { type FollowOptions, followEvents, type MusterEvent } from './follow-events.ts'
export { guardRequests } from './guard-requests.ts'
export { newIdempotencyKey } from './idempotency-key.ts'
export { type AnswerLimits, limitAnswer } from './limit-answer.ts'
export { nextCursor, pagesOf } from './pages.ts'
export { isPathSegment } from './path-parameters.ts'
export { type FieldError, isProblem, MusterProblem, type Problem, problemOf, unreachable } from './problem.ts'
export type { RetryOptions, Send } from './retries.ts'
export type { components, operations, ProblemCode, paths } from './types.ts'
