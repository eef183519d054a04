import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { lockTextForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { problem } from '../../platform/problem.ts'
import type { Role } from '../../platform/roles.ts'
import { insertSecret } from './principal-secrets.ts'

export const lastAdministrator = problem(
  'LastAdministrator',
  409,
  'Nobody would be left who can manage principals. Assign the role admin.manage to another local principal first.',
)

/** 256 random bits, in a form that needs no escaping anywhere. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export type NewLocalPrincipal = {
  clientId: string
  secret: string
  description: string | null
  roles: readonly Role[]
  expiresAt: Date | null
  isProtected?: boolean
}

/** Inserts a local principal with its roles and returns its id. */
export async function insertLocalPrincipal(
  db: Database,
  keys: ServerKeys,
  principal: NewLocalPrincipal,
): Promise<number> {
  const { id } = await db
    .insertInto('principals')
    .values({ kind: 'local', is_protected: principal.isProtected ?? false })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('local_principals')
    .values({
      principal_id: id,
      client_id: principal.clientId,
      description: principal.description,
      expires_at: principal.expiresAt,
    })
    .execute()
  await insertSecret(db, keys, id, principal.secret)
  await replaceRoles(db, id, principal.roles)
  return id
}

export async function replaceRoles(db: Database, principalId: number, roles: readonly Role[]): Promise<void> {
  await sql`
    with requested as (select unnest(${roles}::text[]) as role),
      removed as (
        delete from principal_roles where principal_id = ${principalId} and role not in (select role from requested)
      )
    insert into principal_roles (principal_id, role)
    select distinct ${principalId}::integer, role from requested
    on conflict do nothing`.execute(db)
}

/**
 * Throws unless an active administrator is left. Call it after a change that may remove one: such changes run one after
 * the other from here on, so two of them cannot remove the last two administrators at once.
 */
export async function requireAdministrator(db: Database): Promise<void> {
  await lockTextForTransaction(db, 'administrators')
  const administrator = await db
    .selectFrom('local_principals')
    .innerJoin('principal_roles', 'principal_roles.principal_id', 'local_principals.principal_id')
    .select('local_principals.principal_id')
    .where('principal_roles.role', '=', 'admin.manage')
    .where('is_revoked', '=', false)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .limit(1)
    .executeTakeFirst()
  if (!administrator) throw lastAdministrator()
}
