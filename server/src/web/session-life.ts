import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Principal } from '../platform/authentication/active-principals.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import type { EndedSession } from '../platform/authentication/sessions.ts'
import { appendAuditEntry } from '../platform/pipeline/audit.ts'
import type { Services } from '../platform/services.ts'

type Vouched = { principal: Principal; provider: string | null; idToken?: string | undefined }

/** Begins a session under a new token, which it returns, and ends the one that the browser had. */
export async function beginSession(
  db: Database,
  { sessions }: Services,
  request: FastifyRequest,
  { principal, provider, idToken }: Vouched,
): Promise<string> {
  const earlier = sessionCookie.read(request)
  return db.transaction().execute(async (transaction) => {
    if (earlier !== undefined) await sessions.end(transaction, earlier)
    const token = await sessions.open(transaction, { principalId: principal.id, provider, idToken })
    await audit(transaction, request, 'signIn', principal, provider === null ? {} : { provider })
    return token
  })
}

/** Ends the session of the browser, if it has one. */
export async function endSession(
  db: Database,
  { sessions }: Services,
  request: FastifyRequest,
): Promise<EndedSession | undefined> {
  const token = sessionCookie.read(request)
  if (token === undefined) return undefined
  const current = await sessions.find(db, token)
  return db.transaction().execute(async (transaction) => {
    const ended = await sessions.end(transaction, token)
    if (ended && current) await audit(transaction, request, 'signOut', current.principal, {})
    return ended
  })
}

function audit(
  db: Database,
  request: FastifyRequest,
  operation: 'signIn' | 'signOut',
  principal: Principal,
  query: Record<string, unknown>,
): Promise<void> {
  return appendAuditEntry(db, {
    principal,
    operation: { id: operation, body: null },
    target: '/admin/session',
    query,
    body: undefined,
    concealed: [],
    status: 200,
    requestId: request.id,
  })
}
