import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import { getInstallationId } from '../events/installation-id.ts'
import type { DeliveryParts } from './deliver-webhooks.ts'
import { type SendOutcome, sendWebhook } from './send-webhook.ts'
import { signWebhook } from './signature.ts'
import { listWebhookSecrets } from './webhook-secrets.ts'

export type WebhookNotice = { type: string; subject: string; data: object }

/** The address of a webhook that is not paused. */
export async function findWebhookUrl(db: Database, id: string): Promise<string | undefined> {
  const webhook = await db
    .selectFrom('webhooks')
    .select('url')
    .where('id', '=', id)
    .where('is_paused', '=', false)
    .executeTakeFirst()
  return webhook?.url
}

/** Posts a notice that is not in the log of events, signed like all others. `id` is the same when it is posted again. */
export async function postToWebhook(
  { db, keys, settings }: DeliveryParts,
  webhook: { id: string; url: string },
  id: string,
  notice: WebhookNotice,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const body = JSON.stringify({
    specversion: '1.0',
    id: randomUUID(),
    source: `urn:uuid:${await getInstallationId(db)}`,
    time: new Date(),
    datacontenttype: 'application/json',
    ...notice,
  })
  const headers = signWebhook(await listWebhookSecrets(db, keys, webhook.id), id, body)
  return sendWebhook({ url: webhook.url, headers, body }, settings, signal)
}
