import { type Problem, problem } from '../../../../platform/problem.ts'

/** RFC 6749, section 5.2: the token endpoint has its own form of errors. */
const oauthError = (error: string) => ({
  body: ({ kind, details }: Problem) => ({ error, error_description: String(details.detail ?? kind.message) }),
})

export const invalidTokenRequest = problem(
  'invalid_request',
  400,
  'The token request lacks a parameter or repeats one.',
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
  'The client id or the client secret is wrong.',
  oauthError('invalid_client'),
)
export const tooManyTokenRequests = problem(
  'temporarily_unavailable',
  429,
  'Too many token requests. Wait as long as Retry-After says, and keep tokens until they expire.',
  oauthError('temporarily_unavailable'),
)
