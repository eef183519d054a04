import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { type CloudEventValue, toCloudEvent } from '../events/cloud-event.ts'
import { isInLog, readEvents } from '../events/event-log.ts'
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

/** Webhooks to which one node delivers at the same time. Most of that time, a delivery waits for its receiver. */
const maxConcurrent = 50

/** After this long, a webhook with more to deliver lets others go first. The message on its way is finished. */
const maxTurnMs = 10_000

const pageSize = 50

export type WebhookDeliveries = {
  /** Begins to deliver to webhooks that have something to deliver, and does not wait for their receivers. */
  start(signal: AbortSignal): Promise<void>
  /** Waits for the deliveries that have begun. */
  finish(): Promise<void>
}

/**
 * Delivers to each webhook independently of the others, so a slow receiver delays nobody but itself. Several nodes share the
 * webhooks.
 */
export function openWebhookDeliveries(parts: DeliveryParts, turnMs = maxTurnMs): WebhookDeliveries {
  const inProgress = new Set<Promise<void>>()
  const failures: unknown[] = []

  async function deliver(webhook: ClaimedWebhook, installationId: string, signal: AbortSignal): Promise<void> {
    const endsAt = performance.now() + turnMs
    try {
      await deliverAll(parts, webhook, { installationId, signal, isOver: () => performance.now() >= endsAt })
    } finally {
      await releaseWebhook(parts.db, webhook)
    }
  }

  function throwFailure(): void {
    const [failure] = failures.splice(0)
    if (failure !== undefined) throw failure
  }

  return {
    async start(signal) {
      throwFailure()
      if (inProgress.size >= maxConcurrent) return
      const claimed = await claimWebhooks(parts.db, maxConcurrent - inProgress.size)
      if (claimed.length === 0) return
      const installationId = await getInstallationId(parts.db)
      for (const webhook of claimed) {
        const delivery = deliver(webhook, installationId, signal)
          .catch((failure: unknown) => void failures.push(failure))
          .finally(() => inProgress.delete(delivery))
        inProgress.add(delivery)
      }
    },

    async finish() {
      await Promise.all(inProgress)
      throwFailure()
    },
  }
}

type Turn = { installationId: string; signal: AbortSignal; isOver(): boolean }

/** Delivers the events of a webhook in their order, until none is left, one fails, or its turn is over. */
async function deliverAll(parts: DeliveryParts, webhook: ClaimedWebhook, turn: Turn): Promise<void> {
  const { db } = parts
  for (let position = webhook.position; !turn.signal.aborted; ) {
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
    for (const event of page.events) {
      if (!(await deliverEvent(parts, webhook, toCloudEvent(event, turn.installationId), turn.signal))) return
      if (turn.isOver()) return
    }
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
