import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { problem } from '../../platform/problem.ts'

export const secretNotFound = problem('SecretNotFound', 404, 'The principal has no secret with this id.')

export const lastSecret = problem(
  'LastSecret',
  409,
  'The principal would have no secret left. Create another one first, or revoke the principal.',
)

export const tooManySecrets = problem(
  'TooManySecrets',
  409,
  'The principal has too many secrets that are still valid. Delete one of them first.',
)

const maxSecrets = 10

/** Secrets as the API shows them. Nothing derived from the secret itself is selected. */
export function selectSecrets(db: Database, principalId: number) {
  return db
    .selectFrom('principal_secrets')
    .where('principal_id', '=', principalId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .select(['id', 'created_at as createdAtUtc', 'expires_at as expiresAtUtc', 'last_used_at as lastUsedUtc'])
    .orderBy('id', 'desc')
}

/** Inserts a secret for the principal, which is valid as long as the principal is. */
export async function insertSecret(db: Database, keys: ServerKeys, principalId: number, secret: string) {
  return db
    .insertInto('principal_secrets')
    .values({ principal_id: principalId, secret_hash: keys.hashSecret(secret) })
    .returning(['id', 'created_at as createdAtUtc'])
    .executeTakeFirstOrThrow()
}

/**
 * Lets the secrets of the principal end after this time, unless they end earlier. With 0 hours they end at once, and with
 * them the sessions that somebody may have opened with one of them.
 */
export async function expireSecrets(db: Database, principalId: number, hours: number): Promise<void> {
  if (hours === 0) {
    await db.deleteFrom('principal_secrets').where('principal_id', '=', principalId).execute()
    await endLocalSessions(db, principalId)
    return
  }
  await sql`
    with ended as (
      delete from principal_secrets where principal_id = ${principalId} and expires_at <= now()
    )
    update principal_secrets set expires_at = least(expires_at, now() + make_interval(hours => ${hours}))
    where principal_id = ${principalId} and (expires_at is null or expires_at > now())`.execute(db)
  const { count } = await db
    .selectFrom('principal_secrets')
    .where('principal_id', '=', principalId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxSecrets) throw tooManySecrets()
}

/**
 * Deletes a secret of the principal, and the sessions that somebody may have opened with it. If the others were to end,
 * the newest of them stays valid: a principal never loses its last secret by the passing of time.
 */
export async function deleteSecret(db: Database, principalId: number, secretId: number): Promise<void> {
  const deleted = await db
    .deleteFrom('principal_secrets')
    .where('principal_id', '=', principalId)
    .where('id', '=', secretId)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw secretNotFound({ secretId })
  const left = await selectSecrets(db, principalId).execute()
  const [newest] = left
  if (!newest) throw lastSecret()
  if (left.every(({ expiresAtUtc }) => expiresAtUtc !== null))
    await db.updateTable('principal_secrets').set({ expires_at: null }).where('id', '=', newest.id).execute()
  await endLocalSessions(db, principalId)
}

/** Ends the sessions of the principal that were opened with a client id and secret. */
async function endLocalSessions(db: Database, principalId: number): Promise<void> {
  await db.deleteFrom('sessions').where('principal_id', '=', principalId).where('provider', 'is', null).execute()
}
