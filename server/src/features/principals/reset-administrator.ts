import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { appendAuditEntry } from '../audit/audit-trail.ts'
import { expireSecrets, insertSecret } from './principal-secrets.ts'
import { insertLocalPrincipal, newSecret } from './principals.ts'
import { deleteSignInLinks } from './sign-in-links.ts'

export type ResetAdministrator = { clientId: string; secret: string; isNew: boolean }

export type NamedAdministrator = {
  /** Without it, the first administrator. */
  clientId: string | undefined
  /** Who runs the command, for the audit trail. */
  operator: string
}

/**
 * Gives a local principal a new secret and the role admin.manage, and ends its revocation, its expiry, its other secrets
 * and its sessions. Creates the principal if it does not exist. For administrators who have lost access. It needs access
 * to the database, so it gives nobody new rights.
 */
export async function resetAdministrator(
  db: Database,
  keys: ServerKeys,
  { clientId, operator }: NamedAdministrator,
): Promise<ResetAdministrator> {
  return db.transaction().execute(async (tx) => {
    const found = await lockAdministrator(tx, clientId)
    const secret = newSecret()
    const administrator = found ?? { id: 0, clientId: clientId ?? `admin-${randomBytes(4).toString('hex')}` }
    if (found) await restoreAccess(tx, keys, found.id, secret)
    else
      administrator.id = await insertLocalPrincipal(tx, keys, {
        clientId: administrator.clientId,
        secret,
        description: 'Administrator, created by a command on the server',
        roles: ['admin.manage'],
        expiresAt: null,
        isProtected: true,
      })
    await appendAuditEntry(tx, {
      principal: { id: administrator.id, name: administrator.clientId },
      operation: { id: 'resetAdministrator', body: null },
      target: `/api/admin/local-principals/${administrator.id}`,
      query: {},
      body: { operator, isNew: !found },
      concealed: [],
      status: 200,
      requestId: randomUUID(),
    })
    return { clientId: administrator.clientId, secret, isNew: !found }
  })
}

/** Finds a local principal, or else the first administrator, and locks it. */
export async function lockAdministrator(db: Database, clientId: string | undefined) {
  let administrators = db
    .selectFrom('local_principals')
    .innerJoin('principals', 'principals.id', 'local_principals.principal_id')
    .select(['principals.id', 'local_principals.client_id as clientId'])
    .orderBy('principals.id')
    .limit(1)
    .forUpdate()
  administrators =
    clientId === undefined
      ? administrators.where('principals.is_protected', '=', true)
      : administrators.where('local_principals.client_id', '=', clientId)
  return administrators.executeTakeFirst()
}

async function restoreAccess(db: Database, keys: ServerKeys, principalId: number, secret: string): Promise<void> {
  await expireSecrets(db, principalId, 0)
  await deleteSignInLinks(db, principalId)
  await insertSecret(db, keys, principalId, secret)
  await db
    .updateTable('local_principals')
    .set({ is_revoked: false, expires_at: null })
    .where('principal_id', '=', principalId)
    .execute()
  await sql`
    insert into principal_roles (principal_id, role) values (${principalId}, 'admin.manage')
    on conflict do nothing`.execute(db)
}
