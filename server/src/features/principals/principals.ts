import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { lockTextForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { problem } from '../../platform/problem.ts'
import type { Role } from '../../platform/roles.ts'

export const lastAdministrator = problem(
  'LastAdministrator',
  409,
  'Nobody would be left who can manage principals. Give admin.manage to another local principal first.',
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

/** Stores a local principal with its roles and returns its id. */
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
      secret_hash: keys.hashSecret(principal.secret),
      description: principal.description,
      expires_at: principal.expiresAt,
    })
    .execute()
  await replaceRoles(db, id, principal.roles)
  return id
}

export async function replaceRoles(db: Database, principalId: number, roles: readonly Role[]): Promise<void> {
  await sql`
    with wanted as (select unnest(${roles}::text[]) as role),
      removed as (
        delete from principal_roles where principal_id = ${principalId} and role not in (select role from wanted)
      )
    insert into principal_roles (principal_id, role)
    select distinct ${principalId}::integer, role from wanted
    on conflict do nothing`.execute(db)
}

export type ClientCredentials = { clientId: string; clientSecret: string }

const noSecret = Buffer.alloc(32)

/** The id of the principal, if it may call. Takes the same steps for an unknown client as for a wrong secret. */
export async function authenticatedClient(
  db: Database,
  keys: ServerKeys,
  { clientId, clientSecret }: ClientCredentials,
): Promise<number | undefined> {
  const known = await db
    .selectFrom('local_principals')
    .select(['principal_id', 'secret_hash'])
    .where('client_id', '=', clientId.replaceAll('\0', ''))
    .where('is_revoked', '=', false)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  const matches = timingSafeEqual(keys.hashSecret(clientSecret), known?.secret_hash ?? noSecret)
  return known && matches ? known.principal_id : undefined
}

/**
 * To be called after a change that may have taken away an administrator. Such changes wait for each other here, so that
 * two of them at once cannot remove the last two.
 */
export async function requireAdministrator(db: Database): Promise<void> {
  await lockTextForTransaction(db, 'administrators')
  const usable = await db
    .selectFrom('local_principals')
    .innerJoin('principal_roles', 'principal_roles.principal_id', 'local_principals.principal_id')
    .select('local_principals.principal_id')
    .where('principal_roles.role', '=', 'admin.manage')
    .where('is_revoked', '=', false)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .limit(1)
    .executeTakeFirst()
  if (!usable) throw lastAdministrator()
}
