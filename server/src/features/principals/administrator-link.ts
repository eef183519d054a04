import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { ConfigurationError } from '../../platform/configuration-error.ts'
import { appendAuditEntry } from '../audit/audit-trail.ts'
import { lockAdministrator, type NamedAdministrator } from './reset-administrator.ts'
import { insertSignInLink } from './sign-in-links.ts'

/**
 * Creates a sign-in link for a local principal and returns its token. It needs access to the database, so it gives nobody
 * new rights.
 */
export async function createAdministratorLink(
  db: Database,
  keys: ServerKeys,
  { clientId, operator }: NamedAdministrator,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const principal = await lockAdministrator(tx, clientId)
    if (!principal)
      throw new ConfigurationError(
        'There is no such local principal. Start the service once, or reset an administrator.',
      )
    const token = await insertSignInLink(tx, keys, principal.id)
    await appendAuditEntry(tx, {
      principal: { id: principal.id, name: principal.clientId },
      operation: { id: 'createSignInLink', body: null },
      target: `/api/admin/local-principals/${principal.id}`,
      query: {},
      body: { operator },
      concealed: [],
      status: 200,
      requestId: randomUUID(),
    })
    return token
  })
}
