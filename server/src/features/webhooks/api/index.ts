import type { AnyOperation } from '../../../platform/operation.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { getWebhook } from './get-webhook.ts'
import { listWebhookDeliveries } from './list-webhook-deliveries.ts'
import { listWebhooks } from './list-webhooks.ts'
import { replayWebhook } from './replay-webhook.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { testWebhook } from './test-webhook.ts'
import { updateWebhook } from './update-webhook.ts'

export const webhooksApi: readonly AnyOperation[] = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  replayWebhook,
  testWebhook,
  listWebhookDeliveries,
]
