import { authenticatedClient } from '../features/principals/principals.ts'
import { foreignOrigin, requireOwnOrigin } from '../platform/authentication/own-pages.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import { tooManyRequests, unauthorized } from '../platform/general-problems.ts'
import { ok, operation } from '../platform/operation.ts'
import { sessionDto } from './get-session.ts'
import { administratorRequired, invalidCredentials, localSignInDisabled } from './problems.ts'
import { SessionDto, SignInRequest } from './schemas.ts'
import { beginSession } from './session-life.ts'

export const signIn = operation({
  id: 'signIn',
  route: 'POST /admin/session',
  summary: 'Sign in with client id and secret of a local principal',
  role: 'no token',
  readonly: true,
  bodyLimit: 16_384,
  body: SignInRequest,
  returns: ok(SessionDto),
  problems: [
    invalidCredentials,
    administratorRequired,
    localSignInDisabled,
    foreignOrigin,
    tooManyRequests,
    unauthorized,
  ],
  async handle({ body, db, services, request, setHeader }) {
    requireOwnOrigin(request)
    if (!services.configuration.localSignIn) throw localSignInDisabled()
    // The address first: whoever guesses client ids uses up his own share before that of others.
    const { exceeded, headers } = await services.signInRateLimit.count([
      `address ${request.ip}`,
      `client ${body.clientId}`,
    ])
    if (exceeded) throw tooManyRequests().withHeaders(headers)
    const principalId = await authenticatedClient(db, services.keys, body)
    const principal = principalId === undefined ? undefined : await services.principals.find(principalId)
    if (!principal) throw invalidCredentials()
    if (!principal.roles.has('admin.manage')) throw administratorRequired()
    const token = await beginSession(db, services, request, { principal, provider: null })
    setHeader('set-cookie', sessionCookie.set(request, token))
    const found = await services.sessions.find(db, token)
    return sessionDto(found ?? { principal })
  },
})
