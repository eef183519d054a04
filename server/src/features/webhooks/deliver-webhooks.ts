import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { isInLog, readEvents } from '../../platform/events/event-log.ts'
import { type CloudEventValue, toCloudEvent } from '../events/cloud-event.ts'
import { getInstallationId } from '../events/installation-id.ts'
import { listVisibleTypes } from '../events/visible-types.ts'
import { isDelivered, sendWebhook } from './send-webhook.ts'
import { signWebhook } from './signature.ts'
import type { WebhookSettings } from './webhook-address.ts'
import {
  advanceWebhook,
  type ClaimedWebhook,
  claimWebhooks,
  findClaimedWebhook,
  pauseWebhook,
  recordDelivery,
  recordWebhookFailure,
  releaseWebhook,
} from './webhook-claims.ts'

export type DeliveryParts = {
  db: Database
  keys: ServerKeys
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
  const { db } = parts
  for (let position = webhook.position; !signal.aborted; ) {
    const target = await findDeliveryTarget(parts, webhook)
    if (!target) return
    const page = await readEvents(db, {
      after: position,
      types: [...target.types],
      computerId: webhook.computer_id ?? undefined,
      limit: pageSize,
    })
    if (!isInLog(position, page))
      return pauseWebhook(db, webhook, 'The log no longer has the next event. Replay from a later position.')
    for (const event of page.events)
      if (!(await deliverEvent(parts, webhook, toCloudEvent(event, installationId), signal))) return
    if (page.nextAfter === position) return
    position = page.nextAfter
    if (!(await advanceWebhook(db, webhook, position)) || position >= page.lastPosition) return
  }
}

/** Delivers one event and returns whether the next one may follow. */
async function deliverEvent(
  parts: DeliveryParts,
  webhook: ClaimedWebhook,
  event: CloudEventValue,
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = parts
  const { type } = event
  const position = Number(event.position)
  // Before every event, because a slow receiver makes a page last for minutes: rights, address and secrets may change.
  const target = await findDeliveryTarget(parts, webhook)
  if (!target) return false
  if (!target.types.has(type)) return advanceWebhook(db, webhook, position)
  const body = JSON.stringify(event)
  const headers = signWebhook(target.secrets, event.position, body)
  const outcome = await sendWebhook({ url: target.url, body, headers }, parts.settings, signal)
  // A node that stops has not learned anything about the receiver.
  if (signal.aborted) return false
  await recordDelivery(db, webhook, { ...outcome, position, type, attempt: webhook.failures + 1 })
  if (!isDelivered(outcome)) {
    await recordWebhookFailure(db, webhook, outcome)
    return false
  }
  webhook.failures = 0
  return advanceWebhook(db, webhook, position)
}

type DeliveryTarget = { url: string; types: ReadonlySet<string>; secrets: readonly string[] }

/** Where and what to deliver now. Undefined if nothing may be delivered any more; then the webhook shows why. */
async function findDeliveryTarget(
  { db, keys }: DeliveryParts,
  webhook: ClaimedWebhook,
): Promise<DeliveryTarget | undefined> {
  const current = await findClaimedWebhook(db, webhook)
  if (!current) return undefined
  const { url, types, roles, sealedSecrets } = current
  if (!roles) {
    await pauseWebhook(db, webhook, 'The principal of the webhook was revoked or has expired.')
    return undefined
  }
  return {
    url,
    types: new Set(listVisibleTypes(new Set(roles), types)),
    secrets: await Promise.all(sealedSecrets.map((sealed) => keys.unsealValue(sealed))),
  }
}
