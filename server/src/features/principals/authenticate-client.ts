import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'

export type ClientCredentials = { clientId: string; clientSecret: string }

const noSecret = Buffer.alloc(32)

type StoredSecret = { id: number; principal_id: number; secret_hash: Buffer; is_use_recorded: boolean }

/**
 * Finds the active principal with these credentials. Takes the same time for an unknown client id as for a wrong secret
 * so that client ids cannot be guessed.
 */
export async function findAuthenticatedClient(
  db: Database,
  keys: ServerKeys,
  { clientId, clientSecret }: ClientCredentials,
): Promise<number | undefined> {
  const { rows } = await sql<StoredSecret>`
    select secret.id, secret.principal_id, secret.secret_hash,
      coalesce(secret.last_used_at > now() - interval '5 minutes', false) as is_use_recorded
    from local_principals principal join principal_secrets secret on secret.principal_id = principal.principal_id
    where principal.client_id = ${clientId.replaceAll('\0', '')} and not principal.is_revoked
      and (principal.expires_at is null or principal.expires_at > now())
      and (secret.expires_at is null or secret.expires_at > now())`.execute(db)
  const hash = keys.hashSecret(clientSecret)
  const matching = rows.filter(({ secret_hash }) => timingSafeEqual(hash, secret_hash))
  if (rows.length === 0) timingSafeEqual(hash, noSecret)
  const [found] = matching
  if (found && !found.is_use_recorded) await recordSecretUse(db, found.id)
  return found?.principal_id
}

async function recordSecretUse(db: Database, secretId: number): Promise<void> {
  await db.updateTable('principal_secrets').set({ last_used_at: sql<Date>`now()` }).where('id', '=', secretId).execute()
}
