import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { newWebhookSecret } from './signature.ts'

/** How long the previous secret signs as well so that receivers can be changed without losing a message. */
const overlapHours = 24

/** Adds a secret, which signs from now on, and returns it. Of earlier ones, only the last still signs for a day. */
export async function addWebhookSecret(db: Database, keys: ServerKeys, webhookId: string): Promise<string> {
  const secret = newWebhookSecret()
  await sql`
    delete from webhook_secrets where webhook_id = ${webhookId} and expires_at is not null`.execute(db)
  await sql`
    update webhook_secrets set expires_at = now() + make_interval(hours => ${overlapHours})
    where webhook_id = ${webhookId}`.execute(db)
  await sql`
    insert into webhook_secrets (webhook_id, number, sealed_value)
    select ${webhookId}, coalesce(max(number), 0) + 1, ${keys.sealValue(secret)}::bytea
    from webhook_secrets where webhook_id = ${webhookId}`.execute(db)
  return secret
}

/** A subquery: the sealed secrets that sign, the newest first. */
export const signingSecrets = (webhookId: RawBuilder<unknown>) => sql<{ sealed: Buffer }>`
  select sealed_value as sealed from webhook_secrets
  where webhook_id = ${webhookId} and coalesce(expires_at > now(), true) order by number desc`

/** The secrets that sign, the newest first. */
export async function listWebhookSecrets(db: Database, keys: ServerKeys, webhookId: string): Promise<string[]> {
  const { rows } = await signingSecrets(sql`${webhookId}::uuid`).execute(db)
  return Promise.all(rows.map(({ sealed }) => keys.unsealValue(sealed)))
}
