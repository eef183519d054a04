import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { webhookRows } from '../webhook-rows.ts'
import { Webhook } from './schemas.ts'

export const listWebhooks = operation({
  id: 'listWebhooks',
  route: 'GET /api/webhooks',
  summary: 'List webhooks',
  role: 'admin.manage',
  extension: true,
  query: closed(paging),
  returns: ok(pagedResultOf(Webhook)),
  handle: (call) => pageOf(call, webhookRows(call.db), { columns: ['id'] }),
})
