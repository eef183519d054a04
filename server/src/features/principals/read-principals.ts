import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { principalNotFound, protectedPrincipal } from './api/problems.ts'

/** When the principal last called the API or used a secret; to within some minutes. */
const lastUseOf = (principalId: RawBuilder<number>) => sql<Date | null>`greatest(
  (select use.last_used_at from principal_uses use where use.principal_id = ${principalId}),
  (select max(secret.last_used_at) from principal_secrets secret where secret.principal_id = ${principalId}))`

const rolesOf = (principalId: RawBuilder<number>) => sql<string[]>`array(
  select role from principal_roles where principal_roles.principal_id = ${principalId} order by role)`

/** Principals of identity providers, as the API shows them. */
export function selectIdentityPrincipals(db: Database) {
  return db
    .selectFrom('principals')
    .innerJoin('identity_principals', 'identity_principals.principal_id', 'principals.id')
    .select([
      'principals.id',
      sql<'client' | 'user'>`identity_principals.subject_type`.as('subjectType'),
      'identity_principals.subject_id as subjectId',
      'identity_principals.display_name as displayName',
      'identity_principals.issuer',
      rolesOf(sql.ref('principals.id')).as('roles'),
      'principals.is_protected as protected',
      lastUseOf(sql.ref('principals.id')).as('lastUsedUtc'),
    ])
}

/** Local principals, as the API shows them. Nothing derived from their secrets is selected. */
export function selectLocalPrincipals(db: Database) {
  return db
    .selectFrom('principals')
    .innerJoin('local_principals', 'local_principals.principal_id', 'principals.id')
    .select([
      'principals.id',
      'local_principals.client_id as clientId',
      'local_principals.description',
      rolesOf(sql.ref('principals.id')).as('roles'),
      'local_principals.is_revoked as isRevoked',
      'local_principals.expires_at as expiresAtUtc',
      'principals.created_at as createdAtUtc',
      'principals.is_protected as protected',
      lastUseOf(sql.ref('principals.id')).as('lastUsedUtc'),
    ])
}

export async function requireIdentityPrincipal(db: Database, id: number) {
  const found = await selectIdentityPrincipals(db).where('principals.id', '=', id).executeTakeFirst()
  if (!found) throw principalNotFound({ principalId: id })
  return found
}

export async function requireLocalPrincipal(db: Database, id: number) {
  const found = await selectLocalPrincipals(db).where('principals.id', '=', id).executeTakeFirst()
  if (!found) throw principalNotFound({ principalId: id })
  return found
}

/** Locks a local principal so that changes to its secrets run one after the other. */
export async function lockLocalPrincipal(db: Database, id: number) {
  const found = await db
    .selectFrom('local_principals')
    .select('client_id as clientId')
    .where('principal_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw principalNotFound({ principalId: id })
  return found
}

/** Deletes a principal of these kinds with its roles. A protected principal is only deleted with `force`. */
export async function deletePrincipalOfKind(
  db: Database,
  id: number,
  kinds: readonly ('local' | 'client' | 'user')[],
  force: boolean | undefined,
): Promise<void> {
  const found = await db
    .selectFrom('principals')
    .select('is_protected')
    .where('id', '=', id)
    .where('kind', 'in', kinds)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw principalNotFound({ principalId: id })
  if (found.is_protected && !force) throw protectedPrincipal({ principalId: id })
  await db.deleteFrom('principals').where('id', '=', id).execute()
}
