import { problem } from '../../../platform/problem.ts'

export const webhookNotFound = problem('WebhookNotFound', 404, 'No webhook has this id.')

export const duplicateWebhookName = problem('DuplicateWebhookName', 409, 'Another webhook has this name.', {
  constraint: 'webhooks_name_key',
})

export const webhookPrincipalInactive = problem(
  'WebhookPrincipalInactive',
  409,
  'The principal of the webhook is revoked or has expired. Restore the principal first, or create the webhook again.',
)

export const webhookAddressRefused = problem(
  'WebhookAddressRefused',
  400,
  'Events cannot be sent to this address. The property reason says why.',
)
