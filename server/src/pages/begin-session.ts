import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { appendAuditEntry } from '../platform/audit.ts'
import type { Principal } from '../platform/authentication/active-principals.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
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
    await appendAuditEntry(transaction, {
      principal,
      operation: { id: 'signIn', body: null },
      target: '/admin/session',
      query: provider === null ? {} : { provider },
      body: undefined,
      concealed: [],
      status: 200,
      requestId: request.id,
    })
    return token
  })
}
