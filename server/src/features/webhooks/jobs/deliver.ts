import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { type DeliveryParts, openWebhookDeliveries } from '../deliver-webhooks.ts'

/** Delivers events to webhooks. Several nodes share them. */
export function deliverToWebhooks(parts: DeliveryParts): PeriodicTask {
  const deliveries = openWebhookDeliveries(parts)
  return {
    name: 'deliver to webhooks',
    intervalSeconds: 1,
    idleIntervalSeconds: 5,
    async run(signal) {
      await deliveries.start(signal)
      return undefined
    },
    finish: deliveries.finish,
  }
}
