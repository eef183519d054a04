import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { eventPositionUnavailable } from '../../events/api/problems.ts'
import { EventPosition } from '../../events/cloud-event.ts'
import { getEventLogBounds, isInLog } from '../../events/event-log.ts'
import { webhookNotFound } from './problems.ts'
import { requireWebhook } from './require-webhook.ts'
import { Webhook, WebhookPath } from './schemas.ts'

export const replayWebhook = operation({
  id: 'replayWebhook',
  route: 'POST /api/webhooks/:id/replay',
  summary: 'Deliver events again from a position',
  description: 'Receivers recognise events that they know by `webhook-id`.',
  role: 'admin.manage',
  extension: true,
  params: WebhookPath,
  body: closed(
    { after: { ...EventPosition, description: 'Deliver the events after this position.' } },
    { title: 'ReplayWebhookRequest' },
  ),
  returns: ok(Webhook),
  problems: [webhookNotFound, eventPositionUnavailable],
  async handle({ params, body, db }) {
    const bounds = await getEventLogBounds(db)
    const after = Number(body.after)
    if (!isInLog(after, bounds))
      throw eventPositionUnavailable({
        oldestPosition: String(bounds.oldestPosition),
        latestPosition: String(bounds.lastPosition),
      })
    // The claim ends, so a delivery in progress does not move the position back.
    await sql`
      update webhooks set position = ${after}, failures = 0, failing_since = null, next_attempt_at = null, claim_id = null,
        claimed_until = null
      where id = ${params.id}`.execute(db)
    return requireWebhook(db, params.id)
  },
})
