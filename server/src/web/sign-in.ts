import type { Database } from '../database/connect.ts'
import { auditClientAttempt } from '../features/principals/audit-client-attempt.ts'
import { findAuthenticatedClient } from '../features/principals/authenticate-client.ts'
import { foreignOrigin, requireOwnOrigin } from '../platform/authentication/cross-site-requests.ts'
import { tooManyRequests, unauthorized } from '../platform/general-problems.ts'
import { countRequest } from '../platform/http/count-request.ts'
import { ok, operation } from '../platform/operation.ts'
import { invalidCredentials, localSignInDisabled, roleRequired } from './problems.ts'
import { SessionDto, SignInRequest } from './schemas.ts'
import { openLocalSession } from './session-life.ts'

export const signIn = operation({
  id: 'signIn',
  route: 'POST /admin/session',
  summary: 'Sign in with the client id and secret of a local principal',
  description:
    'Requires any role. Sets the session cookie and ends the session that the browser had before. Attempts are limited for each client id at each address: failures at one address do not lock a client out at another.',
  role: 'no token',
  execution: { kind: 'Read' },
  rateLimit: ({ signInRateLimit }) => signInRateLimit,
  countsRequests: true,
  bodyLimit: 16_384,
  body: SignInRequest,
  returns: ok(SessionDto),
  problems: [invalidCredentials, roleRequired, localSignInDisabled, foreignOrigin, tooManyRequests, unauthorized],
  async handle({ body, db, services, request, setHeader }) {
    requireOwnOrigin(request)
    if (!services.configuration.localSignIn) throw localSignInDisabled()
    await countRequest(request, services.signInRateLimit.countClient(request.ip, body.clientId))
    const findClient = (handle: Database) => findAuthenticatedClient(handle, services.keys, body)
    const principalId = await findClient(db)
    const principal = principalId === undefined ? undefined : await services.principals.find(principalId)
    if (!principal?.roles.size) {
      const status = principal ? 403 : 401
      await auditClientAttempt(
        { db, services, request },
        { operation: 'signIn', target: '/admin/session', clientId: body.clientId, principalId, status },
      )
      throw principal ? roleRequired() : invalidCredentials()
    }
    return openLocalSession({ db, services, request, setHeader }, principal, findClient)
  },
})
