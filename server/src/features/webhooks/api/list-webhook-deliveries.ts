import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { webhookNotFound } from './problems.ts'
import { requireWebhook } from './require-webhook.ts'
import { WebhookDelivery, WebhookPath } from './schemas.ts'

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  route: 'GET /api/webhooks/:id/deliveries',
  summary: 'List the last deliveries of a webhook, newest first',
  role: 'admin.manage',
  extension: true,
  params: WebhookPath,
  query: closed(paging),
  returns: ok(pagedResultOf(WebhookDelivery)),
  problems: [webhookNotFound],
  async handle(call) {
    const { params, db } = call
    await requireWebhook(db, params.id)
    const deliveries = db
      .selectFrom('webhook_deliveries')
      .select([
        'id',
        sql<string>`position::text`.as('position'),
        'type',
        'attempt',
        'attempted_at as attemptedAtUtc',
        'status',
        'error',
        'duration_ms as durationMs',
      ])
      .where('webhook_id', '=', params.id)
    return pageOf(call, deliveries, { columns: ['id'], descending: true })
  },
})
