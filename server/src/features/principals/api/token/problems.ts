import { type Problem, problem } from '../../../../platform/problem.ts'

/** The token endpoint has its own format of errors (RFC 6749, section 5.2). */
const oauthError = (error: string) => ({
  body: ({ kind, details }: Problem) => ({ error, error_description: String(details.detail ?? kind.message) }),
})

export const invalidTokenRequest = problem(
  'invalid_request',
  400,
  'A parameter of the token request is missing or repeated.',
  oauthError('invalid_request'),
)
export const unsupportedGrantType = problem(
  'unsupported_grant_type',
  400,
  'Only grant_type=client_credentials is supported.',
  oauthError('unsupported_grant_type'),
)
export const invalidClient = problem(
  'invalid_client',
  401,
  'Wrong client ID or secret, or the principal is revoked or expired.',
  oauthError('invalid_client'),
)
export const tooManyTokenRequests = problem(
  'temporarily_unavailable',
  429,
  'Too many token requests. Wait for the number of seconds in Retry-After, and reuse tokens until they expire.',
  oauthError('temporarily_unavailable'),
)
