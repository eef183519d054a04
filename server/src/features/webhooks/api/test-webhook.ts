import { randomUUID } from 'node:crypto'
import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { postToWebhook } from '../post-to-webhook.ts'
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
    const closing = new AbortController()
    request.raw.once('close', () => closing.abort())
    const parts = { db, keys: services.keys, settings: services.configuration }
    const notice = {
      type: 'muster.webhook.test',
      subject: `/api/webhooks/${params.id}`,
      data: { webhookName: webhook.name },
    }
    return postToWebhook(parts, webhook, `test-${randomUUID()}`, notice, closing.signal)
  },
})
