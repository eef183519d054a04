import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { appendAuditEntry } from '../features/audit/audit-trail.ts'
import { lockActivePrincipal } from '../features/principals/lock-active-principal.ts'
import { findActivePrincipal } from '../features/principals/principal-directory.ts'
import type { Principal } from '../platform/authentication/principals.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import type { EndedSession } from '../platform/authentication/sessions.ts'
import { unauthorized } from '../platform/general-problems.ts'
import { findCallerRequestId } from '../platform/http/observe-requests.ts'
import type { Call } from '../platform/operation.ts'
import type { Services } from '../platform/services.ts'
import { toSessionDto } from './get-session.ts'

type SignedIn = {
  principal: Principal
  provider: string | null
  idToken?: string | undefined
  /** Set if a link signed in instead of a secret. */
  isByLink?: boolean
}

/** Finds the id of the principal that proves who it is. Called with the principal locked so that the proof stays valid. */
type FindProven = (tx: Database) => Promise<number | undefined>

type LocalSignIn = Pick<Call, 'db' | 'services' | 'request' | 'setHeader'>

/** Signs in a local principal that has proved who it is: sets the cookie, and returns the new session. */
export async function openLocalSession(
  call: LocalSignIn,
  principal: Principal,
  findProven: FindProven,
  isByLink = false,
) {
  const { db, services, request, setHeader } = call
  const token = await beginSession(db, services, request, { principal, provider: null, isByLink }, findProven)
  setHeader('set-cookie', sessionCookie.set(request, token))
  const found = await services.sessions.find(db, token)
  return toSessionDto(found ?? { principal }, services.configuration)
}

/** Opens a session, ends the one that the browser had, audits the sign-in and returns the new token. */
export async function beginSession(
  db: Database,
  { sessions }: Services,
  request: FastifyRequest,
  { principal, provider, idToken, isByLink }: SignedIn,
  findProven: FindProven,
): Promise<string> {
  const previous = sessionCookie.read(request)
  return db.transaction().execute(async (tx) => {
    await lockActivePrincipal(tx, principal.id)
    const isProven = (await findProven(tx)) === principal.id
    const current = await findActivePrincipal(tx, principal.id)
    if (!isProven || !current?.roles.size) throw unauthorized()
    if (previous !== undefined) await sessions.end(tx, previous)
    const token = await sessions.open(tx, { principalId: principal.id, provider, idToken })
    const method = isByLink ? { method: 'link' } : {}
    await auditSession(tx, request, 'signIn', principal, provider === null ? method : { provider })
    return token
  })
}

/** Ends the session of the browser, if it has one, and audits the sign-out. */
export async function endSession(
  db: Database,
  { sessions }: Services,
  request: FastifyRequest,
): Promise<EndedSession | undefined> {
  const token = sessionCookie.read(request)
  if (token === undefined) return undefined
  const current = await sessions.find(db, token)
  return db.transaction().execute(async (tx) => {
    const ended = await sessions.end(tx, token)
    if (ended && current) await auditSession(tx, request, 'signOut', current.principal, {})
    return ended
  })
}

function auditSession(
  tx: Database,
  request: FastifyRequest,
  operation: 'signIn' | 'signOut',
  principal: Principal,
  query: Record<string, unknown>,
): Promise<void> {
  return appendAuditEntry(tx, {
    principal,
    operation: { id: operation, body: null },
    target: '/admin/session',
    query,
    body: undefined,
    concealed: [],
    status: 200,
    requestId: request.id,
    details: { address: request.ip },
    callerRequestId: findCallerRequestId(request),
  })
}
