import { problem } from './problem.ts'

export const invalidRequest = problem('InvalidRequest', 400, 'The request is not valid. The property detail says why.')
export const unsupportedApiVersion = problem(
  'UnsupportedApiVersion',
  400,
  'This api-version is not supported. The property supported lists the versions that are.',
)
export const unauthorized = problem('Unauthorized', 401, 'A valid access token is required.')
export const forbidden = problem('Forbidden', 403, 'The principal does not have the role that this operation requires.')
export const routeNotFound = problem('NotFound', 404, 'Nothing exists at this URL.')
export const methodNotAllowed = problem(
  'MethodNotAllowed',
  405,
  'This URL does not support this method. The header Allow lists the supported methods.',
)
export const requestTimeout = problem('RequestTimeout', 408, 'The request was not received completely in time.')
export const unexpectedCount = problem(
  'UnexpectedCount',
  409,
  'The change does not affect the expected number of computers. Nothing was changed. The property actualCount is the number.',
)
export const approvalRequired = problem(
  'ApprovalRequired',
  409,
  'The change exceeds a limit for destructive actions. It waits for the approval of a second principal. The property detail names the limit.',
)
export const tooManyApprovals = problem(
  'TooManyApprovals',
  409,
  'The change needs an approval, and too many requests of the caller wait for one. Withdraw some, or wait for their decision.',
)
export const approvedComputersChanged = problem(
  'ApprovedComputersChanged',
  409,
  'The change would affect computers for which it was not approved. Nothing was changed. Make the request again.',
)
export const approvedContentChanged = problem(
  'ApprovedContentChanged',
  409,
  'The computers would get something that was not assigned when the request was made. Nothing was changed. Make the request again.',
)
export const preconditionFailed = problem(
  'PreconditionFailed',
  412,
  'The resource does not have the version that If-Match names. Read it again, then repeat the change.',
)
export const payloadTooLarge = problem('PayloadTooLarge', 413, 'The request body is larger than the service accepts.')
export const uriTooLong = problem('UriTooLong', 414, 'A part of the URL is longer than the service accepts.')
export const unsupportedMediaType = problem(
  'UnsupportedMediaType',
  415,
  'The service does not accept this content type.',
)
export const rangeNotSatisfiable = problem(
  'RangeNotSatisfiable',
  416,
  'The requested range begins after the end of the file.',
)
export const idempotencyKeyReused = problem(
  'IdempotencyKeyReused',
  422,
  'This Idempotency-Key was used for a different request. Use a new key.',
)
export const tooManyRequests = problem(
  'TooManyRequests',
  429,
  'Too many requests. Wait for the number of seconds in Retry-After.',
)
export const headersTooLarge = problem('HeadersTooLarge', 431, 'The headers are larger than the service accepts.')
export const internalError = problem(
  'InternalError',
  500,
  'The service failed. Its log contains the cause under the request id.',
)
export const identityProviderUnavailable = problem(
  'IdentityProviderUnavailable',
  503,
  'The identity provider of the token cannot be reached. Try again in a few seconds.',
)
export const resourceBusy = problem(
  'ResourceBusy',
  503,
  'Another request is changing the same resource. Try again in a few seconds.',
)
export const databaseBusy = problem(
  'DatabaseBusy',
  503,
  'The database has too much to do and did not finish the request. Try again after the number of seconds in Retry-After.',
)
export const databaseUnavailable = problem(
  'DatabaseUnavailable',
  503,
  'The database cannot be reached. Try again in a few seconds.',
)
export const resourcesExhausted = problem(
  'ResourcesExhausted',
  503,
  'The service has run out of file descriptors, memory, disk space or another resource. Try again in a few seconds.',
)
export const tooManyConnections = problem(
  'TooManyConnections',
  503,
  'The process has as many wake connections as it takes. Contacts work without one. Try again after the number of seconds in Retry-After.',
)
export const tooManyDownloads = problem(
  'TooManyDownloads',
  503,
  'Too many files are being downloaded at once. Try again after the number of seconds in Retry-After.',
)
