import { sql } from 'kysely'
import { created, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { addWebhookSecret } from '../webhook-secrets.ts'
import { checkWebhook } from './check-webhook.ts'
import { duplicateWebhookName, webhookAddressRefused } from './problems.ts'
import { requireWebhook } from './require-webhook.ts'
import { secretProperty, Webhook, webhookProperties } from './schemas.ts'

const { name, url, types, computerId } = webhookProperties

export const createWebhook = operation({
  id: 'createWebhook',
  route: 'POST /api/webhooks',
  summary: 'Create a webhook',
  description:
    'From now on, every event that the filter selects and your roles allow is posted to the address as a CloudEvent, one after the other and signed as Standard Webhooks prescribes. What is not answered with 2xx is sent again, later and later; after three days the webhook is paused.',
  role: 'admin.manage',
  extension: true,
  body: closed(
    { name, url, types: Type.Optional(types), computerId: Type.Optional(computerId) },
    { title: 'CreateWebhookRequest' },
  ),
  returns: created(closed({ ...Webhook.properties, ...secretProperty }, { title: 'CreatedWebhook' })),
  problems: [duplicateWebhookName, webhookAddressRefused],
  async handle({ body, db, caller, services }) {
    checkWebhook(services, body)
    const { id } = await db
      .insertInto('webhooks')
      .values({
        name: body.name,
        url: body.url,
        types: body.types ?? [],
        computer_id: body.computerId ?? null,
        principal_id: caller.principal.id,
        position: sql<number>`(select last_position from event_log)`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const secret = await addWebhookSecret(db, services.keys, id)
    return { ...(await requireWebhook(db, id)), secret }
  },
})
