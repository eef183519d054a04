import type { Database } from '../database/connect.ts'
import { auditAttempt } from '../features/audit/audit-trail.ts'
import { findSignInLink, redeemSignInLink } from '../features/principals/sign-in-links.ts'
import { foreignOrigin, requireOwnOrigin } from '../platform/authentication/cross-site-requests.ts'
import { tooManyRequests, unauthorized } from '../platform/general-problems.ts'
import { countRequest } from '../platform/http/count-request.ts'
import { isFromThisMachine, isOverOwnTls } from '../platform/http/this-machine.ts'
import { addressKey } from '../platform/load/rate-limit.ts'
import { type Call, ok, operation } from '../platform/operation.ts'
import type { Problem } from '../platform/problem.ts'
import { localSignInDisabled, signInLinkInvalid, signInLinkNotLocal } from './problems.ts'
import { SessionDto, SignInLinkRequest } from './schemas.ts'
import { openLocalSession } from './session-life.ts'

export const signInWithLink = operation({
  id: 'signInWithLink',
  route: 'POST /admin/session/link',
  summary: 'Sign in with the token of a one-time link',
  description:
    'The service prints such a link at the first start of an installation, and `npm run admin -- link` prints another. It works once, for ten minutes, over TLS of the service or else only on its machine. Opening the link does not use it: the page sends this request.',
  role: 'no token',
  execution: { kind: 'Read' },
  rateLimit: ({ signInRateLimit }) => signInRateLimit,
  countsRequests: true,
  bodyLimit: 16_384,
  body: SignInLinkRequest,
  returns: ok(SessionDto),
  problems: [signInLinkInvalid, signInLinkNotLocal, localSignInDisabled, foreignOrigin, tooManyRequests, unauthorized],
  async handle(call) {
    const { body, db, services, request } = call
    requireOwnOrigin(request)
    if (!services.configuration.localSignIn) throw localSignInDisabled()
    await countRequest(request, services.signInRateLimit.count([addressKey(request.ip)]))
    // Checked before the link is looked up so that a request from elsewhere cannot use it up.
    if (!isFromThisMachine(request) && !isOverOwnTls(request)) throw await auditRefusal(call, signInLinkNotLocal())
    const principalId = await findSignInLink(db, services.keys, body.token)
    const principal = principalId === undefined ? undefined : await services.principals.find(principalId)
    if (!principal?.roles.size) throw await auditRefusal(call, signInLinkInvalid())
    // Of two requests with the same link, the one that deletes it signs in.
    const redeem = async (tx: Database) => {
      const redeemedBy = await redeemSignInLink(tx, services.keys, body.token)
      if (redeemedBy === undefined) throw signInLinkInvalid()
      return redeemedBy
    }
    return openLocalSession(call, principal, redeem, true)
  },
})

async function auditRefusal({ db, request }: Pick<Call, 'db' | 'request'>, refusal: Problem): Promise<Problem> {
  const { code, status } = refusal.kind
  await auditAttempt(db, {
    principal: { id: null, name: 'unknown link' },
    operation: 'signIn',
    target: '/admin/session',
    status,
    requestId: request.id,
    details: { address: request.ip, method: 'link', error: code },
  })
  return refusal
}
