import { problem } from './problem.ts'

export const invalidRequest = problem('InvalidRequest', 400, 'The request does not match its description.')
export const unsupportedApiVersion = problem('UnsupportedApiVersion', 400, 'This api-version is not supported.')
export const unauthorized = problem('Unauthorized', 401, 'A valid access token is needed.')
export const forbidden = problem('Forbidden', 403, 'The principal lacks the role that this operation needs.')
export const routeNotFound = problem('NotFound', 404, 'Nothing is found at this address.')
export const methodNotAllowed = problem('MethodNotAllowed', 405, 'This address does not take this method.')
export const requestTimeout = problem('RequestTimeout', 408, 'The request did not arrive in time.')
export const preconditionFailed = problem(
  'PreconditionFailed',
  412,
  'The resource has changed since the version that If-Match names.',
)
export const payloadTooLarge = problem('PayloadTooLarge', 413, 'The request body is larger than the service accepts.')
export const uriTooLong = problem('UriTooLong', 414, 'A part of the address is longer than the service accepts.')
export const unsupportedMediaType = problem('UnsupportedMediaType', 415, 'The service does not take this content type.')
export const rangeNotSatisfiable = problem('RangeNotSatisfiable', 416, 'The file ends before the range of bytes.')
export const idempotencyKeyReused = problem(
  'IdempotencyKeyReused',
  422,
  'This Idempotency-Key was used before, for another request.',
)
export const tooManyRequests = problem(
  'TooManyRequests',
  429,
  'Too many requests of this kind. Wait as long as Retry-After says.',
)
export const headersTooLarge = problem('HeadersTooLarge', 431, 'The headers are larger than the service accepts.')
export const internalError = problem(
  'InternalError',
  500,
  'The service failed. The request id finds the cause in its log.',
)
export const identityProviderUnavailable = problem(
  'IdentityProviderUnavailable',
  503,
  'The identity provider of the token is out of reach at the moment. Try again soon.',
)
export const databaseUnavailable = problem(
  'DatabaseUnavailable',
  503,
  'The database is out of reach at the moment. Try again soon.',
)
