import { ok, operation } from '../../../platform/operation.ts'
import { webhookNotFound } from './problems.ts'
import { requireWebhook } from './require-webhook.ts'
import { Webhook, WebhookPath } from './schemas.ts'

export const getWebhook = operation({
  id: 'getWebhook',
  route: 'GET /api/webhooks/:id',
  summary: 'Get a webhook',
  role: 'admin.manage',
  extension: true,
  params: WebhookPath,
  returns: ok(Webhook),
  problems: [webhookNotFound],
  unversioned: ['position', 'failures', 'failingSinceUtc', 'nextAttemptAtUtc'],
  handle: ({ params, db }) => requireWebhook(db, params.id),
})
