import { auditClientAttempt } from '../features/principals/audit-client-attempt.ts'
import { findAuthenticatedClient } from '../features/principals/authenticate-client.ts'
import { foreignOrigin, requireOwnOrigin } from '../platform/authentication/cross-site-requests.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import { tooManyRequests, unauthorized } from '../platform/general-problems.ts'
import { ok, operation } from '../platform/operation.ts'
import { toSessionDto } from './get-session.ts'
import { administratorRequired, invalidCredentials, localSignInDisabled } from './problems.ts'
import { SessionDto, SignInRequest } from './schemas.ts'
import { beginSession } from './session-life.ts'

export const signIn = operation({
  id: 'signIn',
  route: 'POST /admin/session',
  summary: 'Sign in with the client id and secret of a local principal',
  description:
    'Requires the role admin.manage. Sets the session cookie and ends the session that the browser had before. Attempts are limited for each client id at each address: failures at one address do not lock a client out at another.',
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
    const { exceeded, headers } = await services.signInRateLimit.countClient(request.ip, body.clientId)
    if (exceeded) throw tooManyRequests().withHeaders(headers)
    const principalId = await findAuthenticatedClient(db, services.keys, body)
    const principal = principalId === undefined ? undefined : await services.principals.find(principalId)
    if (!principal?.roles.has('admin.manage')) {
      const status = principal ? 403 : 401
      await auditClientAttempt(
        { db, services, request },
        { operation: 'signIn', target: '/admin/session', clientId: body.clientId, principalId, status },
      )
      throw principal ? administratorRequired() : invalidCredentials()
    }
    const token = await beginSession(db, services, request, { principal, provider: null })
    setHeader('set-cookie', sessionCookie.set(request, token))
    const found = await services.sessions.find(db, token)
    return toSessionDto(found ?? { principal }, services.configuration)
  },
})
