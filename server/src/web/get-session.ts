import type { Caller } from '../platform/authentication/caller.ts'
import type { Configuration } from '../platform/configuration.ts'
import { unauthorized } from '../platform/general-problems.ts'
import { ok, operation } from '../platform/operation.ts'
import { SessionDto } from './schemas.ts'

export const getSession = operation({
  id: 'getSession',
  route: 'GET /admin/session',
  summary: 'Get the session with its principal, expiry and CSRF token',
  description:
    'Answers 401 to callers with an access token: they are authenticated, but not signed in. The header X-CSRF-Token of every change must contain `csrfToken`.',
  role: 'any valid token',
  returns: ok(SessionDto),
  problems: [unauthorized],
  handle: async ({ caller, services }) => toSessionDto(caller, services.configuration),
})

type SignedIn = Pick<Caller, 'principal' | 'session'>

/** Throws 401 for a caller with an access token, who is authenticated but not signed in. */
export function toSessionDto({ principal, session }: SignedIn, { confirmCountAbove }: Configuration) {
  if (!session || principal.kind === 'client') throw unauthorized()
  return {
    principal: {
      id: principal.id,
      kind: principal.kind,
      subjectId: session.subjectId,
      displayName: principal.name,
      roles: [...principal.roles].sort(),
    },
    provider: session.provider,
    csrfToken: session.csrfToken,
    idleExpiresAtUtc: session.idleExpiresAt,
    expiresAtUtc: session.expiresAt,
    confirmCountAbove,
  }
}
