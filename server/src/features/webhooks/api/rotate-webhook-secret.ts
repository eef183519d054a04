import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { addWebhookSecret } from '../webhook-secrets.ts'
import { webhookNotFound } from './problems.ts'
import { requireWebhook } from './require-webhook.ts'
import { secretProperty, WebhookPath } from './schemas.ts'

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  route: 'POST /api/webhooks/:id/secret',
  summary: 'Give a webhook a new secret',
  description:
    'For a day, messages are signed with the previous secret as well so that no receiver has to change at once.',
  role: 'admin.manage',
  extension: true,
  params: WebhookPath,
  returns: ok(closed(secretProperty, { title: 'WebhookSecret' })),
  problems: [webhookNotFound],
  async handle({ params, db, services }) {
    await requireWebhook(db, params.id)
    return { secret: await addWebhookSecret(db, services.keys, params.id) }
  },
})
