import type { Database } from '../../database/connect.ts'
import type { PrincipalDirectory } from '../../platform/authentication/principal-directory.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { isInLog, type LoggedEvent, readEvents } from '../../platform/events/event-log.ts'
import { toCloudEvent } from '../events/cloud-event.ts'
import { getInstallationId } from '../events/installation-id.ts'
import { listVisibleTypes } from '../events/visible-types.ts'
import { isDelivered, sendWebhook } from './send-webhook.ts'
import { signWebhook } from './signature.ts'
import type { WebhookSettings } from './webhook-address.ts'
import {
  advanceWebhook,
  type ClaimedWebhook,
  claimWebhooks,
  pauseWebhook,
  recordDelivery,
  recordWebhookFailure,
  releaseWebhook,
} from './webhook-claims.ts'
import { listWebhookSecrets } from './webhook-secrets.ts'

export type DeliveryParts = {
  db: Database
  keys: ServerKeys
  principals: PrincipalDirectory
  settings: WebhookSettings
}

const pageSize = 50

/** Delivers to all webhooks that have something to deliver. Several nodes share them. */
export async function deliverWebhooks(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  const claimed = await claimWebhooks(parts.db)
  if (claimed.length === 0) return
  const installationId = await getInstallationId(parts.db)
  await Promise.all(
    claimed.map(async (webhook) => {
      try {
        await deliverAll(parts, webhook, installationId, signal)
      } finally {
        await releaseWebhook(parts.db, webhook)
      }
    }),
  )
}

/** Delivers the events of a webhook in their order, until none is left or one fails. */
async function deliverAll(
  parts: DeliveryParts,
  webhook: ClaimedWebhook,
  installationId: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, keys, principals } = parts
  const principal = await principals.find(webhook.principal_id)
  if (!principal) return pauseWebhook(db, webhook, 'The principal of the webhook is revoked or has expired.')
  const types = listVisibleTypes(principal.roles, webhook.types)
  const secrets = await listWebhookSecrets(db, keys, webhook.id)
  for (let position = webhook.position; !signal.aborted; ) {
    const page = await readEvents(db, {
      after: position,
      types,
      computerId: webhook.computer_id ?? undefined,
      limit: pageSize,
    })
    if (!isInLog(position, page))
      return pauseWebhook(db, webhook, 'The log no longer has the next event. Replay from a later position.')
    for (const event of page.events) {
      const message = toMessage(webhook, event, installationId, secrets)
      const outcome = await sendWebhook(message, parts.settings, signal)
      // A node that stops has not learned anything about the receiver.
      if (signal.aborted) return
      await recordDelivery(db, webhook, { ...outcome, ...event, attempt: webhook.failures + 1 })
      if (!isDelivered(outcome)) return recordWebhookFailure(db, webhook, outcome)
      webhook.failures = 0
      if (!(await advanceWebhook(db, webhook, event.position))) return
    }
    if (page.nextAfter === position) return
    position = page.nextAfter
    if (!(await advanceWebhook(db, webhook, position)) || position >= page.lastPosition) return
  }
}

function toMessage({ url }: ClaimedWebhook, event: LoggedEvent, installationId: string, secrets: readonly string[]) {
  const body = JSON.stringify(toCloudEvent(event, installationId))
  return { url, body, headers: signWebhook(secrets, String(event.position), body) }
}
