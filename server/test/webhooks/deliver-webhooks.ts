import { type DeliveryParts, openWebhookDeliveries } from '../../src/features/webhooks/deliver-webhooks.ts'

/** Delivers what is due, as one node does each second, and waits for the receivers. */
export async function deliverWebhooks(parts: DeliveryParts): Promise<void> {
  const deliveries = openWebhookDeliveries(parts)
  await deliveries.start(new AbortController().signal)
  await deliveries.finish()
}
