import { createWebhook } from '../../src/features/webhooks/api/create-webhook.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

let number = 0
const body = () => ({ name: `webhook ${number++}`, url: 'https://hooks.example.org/muster' })

async function webhook({ as }: World) {
  const { id } = (await as('admin.manage').call(createWebhook, { body: body() })).body
  return { params: { id } }
}

export const webhooksScenarios: Record<string, Scenario> = {
  createWebhook: async () => ({ body: body() }),
  getWebhook: webhook,
  updateWebhook: async (world) => ({ ...(await webhook(world)), body: { isPaused: true } }),
  deleteWebhook: webhook,
  rotateWebhookSecret: webhook,
  replayWebhook: async (world) => ({ ...(await webhook(world)), body: { after: '0' } }),
  testWebhook: webhook,
  listWebhookDeliveries: webhook,
  // Without an end, the caller of a test would wait forever.
  streamEvents: async () => ({ query: { seconds: 1 } }),
}
