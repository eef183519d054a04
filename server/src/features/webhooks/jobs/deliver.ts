import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { type DeliveryParts, deliverWebhooks } from '../deliver-webhooks.ts'

/** Delivers events to webhooks. Several nodes share them. */
export function deliverToWebhooks(parts: DeliveryParts): PeriodicTask {
  return {
    name: 'deliver to webhooks',
    intervalSeconds: 1,
    async run(signal) {
      await deliverWebhooks(parts, signal)
      return undefined
    },
  }
}
