import { randomUUID } from 'node:crypto'
import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { getInstallationId } from '../../events/installation-id.ts'
import { sendWebhook } from '../send-webhook.ts'
import { signWebhook } from '../signature.ts'
import { listWebhookSecrets } from '../webhook-secrets.ts'
import { webhookNotFound } from './problems.ts'
import { requireWebhook } from './require-webhook.ts'
import { WebhookDelivery, WebhookPath } from './schemas.ts'

const { status, error, durationMs } = WebhookDelivery.properties

export const testWebhook = operation({
  id: 'testWebhook',
  route: 'POST /api/webhooks/:id/test',
  summary: 'Send a test event to a webhook, and show what became of it',
  description: 'The event has the type `muster.webhook.test`. It is sent also while the webhook is paused.',
  role: 'admin.manage',
  extension: true,
  execution: { kind: 'Read' },
  params: WebhookPath,
  returns: ok(closed({ status, error, durationMs }, { title: 'WebhookTest' })),
  problems: [webhookNotFound],
  async handle({ params, db, services, request }) {
    const webhook = await requireWebhook(db, params.id)
    const body = JSON.stringify({
      specversion: '1.0',
      id: randomUUID(),
      source: `urn:uuid:${await getInstallationId(db)}`,
      type: 'muster.webhook.test',
      subject: `/api/webhooks/${params.id}`,
      time: new Date(),
      datacontenttype: 'application/json',
      data: { webhookName: webhook.name },
    })
    const headers = signWebhook(await listWebhookSecrets(db, services.keys, params.id), `test-${randomUUID()}`, body)
    const closing = new AbortController()
    request.raw.once('close', () => closing.abort())
    return sendWebhook({ url: webhook.url, headers, body }, services.configuration, closing.signal)
  },
})
