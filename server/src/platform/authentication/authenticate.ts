import type { FastifyRequest } from 'fastify'
import { batchCalls } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { forbidden, unauthorized } from '../general-problems.ts'
import type { Access } from '../roles.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Caller } from './caller.ts'
import { requireCsrfToken, requireOwnOrigin } from './cross-site-requests.ts'
import type { LastUse, Principal, PrincipalDirectory } from './principals.ts'
import type { ProviderTokens } from './provider-tokens.ts'
import { sessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'

export type Authenticate = (request: FastifyRequest) => Promise<Caller>

/** Everything that authentication needs. */
export type AuthenticationParts = {
  db: Database
  tokens: AccessTokens
  providerTokens: ProviderTokens
  principals: PrincipalDirectory
  sessions: Sessions
  lastUse: LastUse
  /** Finds the caller with a metrics token, for operations that accept one. */
  findByMetricsToken(token: string): Promise<Caller | undefined>
}

const challenge = 'Bearer realm="muster"'

/** Identifies the caller by the Authorization header or, without one, by the session cookie. Throws 401 otherwise. */
export function openAuthentication({
  db,
  tokens,
  principals,
  providerTokens,
  sessions,
  lastUse,
  findByMetricsToken,
}: AuthenticationParts): Authenticate {
  async function findByToken(authorization: string, acceptsMetricsTokens: boolean): Promise<Caller | undefined> {
    const [, bearer] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
    if (bearer === undefined) return undefined
    const token = await tokens.verify(bearer)
    if (!token) return (acceptsMetricsTokens && (await findByMetricsToken(bearer))) || providerTokens.verify(bearer)
    const findPrincipal = () => principals.find(token.principalId)
    const principal = await findPrincipal()
    return principal && { principal, expiresAt: token.expiresAt, findPrincipal }
  }

  const findSession = batchCalls({ run: (sessionTokens: readonly string[]) => sessions.findAll(db, sessionTokens) })
  // Open streams check their sessions all at once.
  const checkSession = batchCalls({
    run: (sessionTokens: readonly string[]) => sessions.findAll(db, sessionTokens, { recordsUse: false }),
  })

  async function findBySession(request: FastifyRequest): Promise<Caller | undefined> {
    const token = sessionCookie.read(request)
    const found = token === undefined ? undefined : await findSession(token)
    if (token === undefined || !found) return undefined
    requireOwnOrigin(request)
    requireCsrfToken(request, found.session.csrfToken)
    const findPrincipal = async () => (await checkSession(token))?.principal
    return { ...found, expiresAt: found.session.expiresAt, findPrincipal }
  }

  return async (request) => {
    const { authorization } = request.headers
    const { acceptsMetricsTokens = false } = request.routeOptions.config.operation ?? {}
    const caller = authorization ? await findByToken(authorization, acceptsMetricsTokens) : await findBySession(request)
    if (caller) {
      lastUse.record(caller.principal.id)
      return caller
    }
    const failure = authorization ? `${challenge}, error="invalid_token"` : challenge
    throw unauthorized().withHeaders({ 'www-authenticate': failure })
  }
}

/** Whether a principal may call operations with this access. */
export function hasRole({ roles }: Principal, role: Access): boolean {
  return role === 'any valid token' || roles.has(role)
}

export function requireRole(principal: Principal, role: Access): void {
  if (hasRole(principal, role)) return
  throw forbidden({ requiredRole: role }).withHeaders({
    'www-authenticate': `${challenge}, error="insufficient_scope", scope="${role}"`,
  })
}
