import { forbidden, unauthorized } from '../general-problems.ts'
import type { Access } from '../operation.ts'
import type { AccessTokens, VerifiedToken } from './access-tokens.ts'
import type { Principal, PrincipalDirectory } from './principal-directory.ts'

export type Caller = { principal: Principal; token: VerifiedToken }

export type Authenticate = (authorization: string | undefined) => Promise<Caller>

const challenge = 'Bearer realm="muster"'

/** Finds out who calls, by the Authorization header, or throws 401. */
export function authenticator(tokens: AccessTokens, directory: PrincipalDirectory): Authenticate {
  return async (authorization) => {
    if (!authorization) throw unauthorized().withHeaders({ 'www-authenticate': challenge })
    const [, bearer] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
    const token = bearer === undefined ? undefined : await tokens.verify(bearer)
    const principal = token && (await directory.find(token.principalId))
    if (!token || !principal)
      throw unauthorized().withHeaders({ 'www-authenticate': `${challenge}, error="invalid_token"` })
    return { principal, token }
  }
}

export function requireRole(principal: Principal, role: Access): void {
  if (role === 'any valid token' || principal.roles.has(role)) return
  throw forbidden({ requiredRole: role }).withHeaders({
    'www-authenticate': `${challenge}, error="insufficient_scope", scope="${role}"`,
  })
}
