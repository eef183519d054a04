import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { patchOf, Type } from '../../../platform/schema.ts'
import { checkWebhook } from './check-webhook.ts'
import { getWebhook } from './get-webhook.ts'
import { duplicateWebhookName, webhookAddressRefused, webhookNotFound, webhookPrincipalInactive } from './problems.ts'
import { requireWebhook } from './require-webhook.ts'
import { Webhook, WebhookPath, webhookProperties } from './schemas.ts'

const { name, url, types } = webhookProperties

export const updateWebhook = operation({
  id: 'updateWebhook',
  route: 'PATCH /api/webhooks/:id',
  summary: 'Change, pause or continue a webhook',
  description:
    'A webhook that continues after a pause delivers what happened in the meantime, at once. It cannot continue while its principal is revoked or has expired. When the principal is restored, the webhook stays paused until somebody continues it.',
  role: 'admin.manage',
  extension: true,
  params: WebhookPath,
  body: patchOf(
    {
      name,
      url,
      types,
      isPaused: Type.Boolean({ examples: [true], description: 'Nothing is sent while the webhook is paused' }),
    },
    { title: 'UpdateWebhookRequest' },
  ),
  returns: ok(Webhook),
  problems: [webhookNotFound, duplicateWebhookName, webhookAddressRefused, webhookPrincipalInactive],
  changes: getWebhook,
  async handle({ params, body, db, services }) {
    checkWebhook(services, body)
    const { principalId } = await requireWebhook(db, params.id)
    if (body.isPaused === false && !(await services.principals.find(principalId)))
      throw webhookPrincipalInactive({ principalId })
    await sql`
      update webhooks set name = coalesce(${body.name}, name), url = coalesce(${body.url}, url),
        types = coalesce(${body.types}::text[], types), is_paused = coalesce(${body.isPaused}::boolean, is_paused),
        pause_reason = case when ${body.isPaused}::boolean is null then pause_reason end,
        failures = case when ${body.isPaused}::boolean is false then 0 else failures end,
        failing_since = case when ${body.isPaused}::boolean is false then null else failing_since end,
        next_attempt_at = case when ${body.isPaused}::boolean is false then null else next_attempt_at end
      where id = ${params.id}`.execute(db)
    return requireWebhook(db, params.id)
  },
})
