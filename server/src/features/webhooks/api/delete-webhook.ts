import { noContent, operation } from '../../../platform/operation.ts'
import { getWebhook } from './get-webhook.ts'
import { webhookNotFound } from './problems.ts'
import { WebhookPath } from './schemas.ts'

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  route: 'DELETE /api/webhooks/:id',
  summary: 'Delete a webhook',
  role: 'admin.manage',
  extension: true,
  params: WebhookPath,
  returns: noContent,
  problems: [webhookNotFound],
  changes: getWebhook,
  async handle({ params, db }) {
    const { numDeletedRows } = await db.deleteFrom('webhooks').where('id', '=', params.id).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw webhookNotFound({ webhookId: params.id })
  },
})
