import type { Caller } from '../platform/authentication/authenticate.ts'
import { unauthorized } from '../platform/general-problems.ts'
import { ok, operation } from '../platform/operation.ts'
import { SessionDto } from './schemas.ts'

export const getSession = operation({
  id: 'getSession',
  route: 'GET /admin/session',
  summary: 'Read who is signed in, until when, and the token for changes',
  role: 'any valid token',
  returns: ok(SessionDto),
  problems: [unauthorized],
  handle: async ({ caller }) => sessionDto(caller),
})

/** Whoever calls with an access token is known, but is not signed in. */
export function sessionDto({ principal, session }: Pick<Caller, 'principal' | 'session'>) {
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
  }
}
