import { closed, Id, Instant, Int32, nameText, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { EventPosition } from '../../events/cloud-event.ts'

export const WebhookPath = closed({ id: Uuid })

export const webhookProperties = {
  name: nameText(255, 'Failures to chat'),
  url: text(2_000, 'https://chat.example.org/hooks/muster', 'Where events are posted to'),
  types: Type.Array(text(100, 'muster.deployment.failed'), {
    maxItems: 100,
    description:
      'Types of events; `*` stands for any end. Without any, all types that the principal of the webhook may see.',
  }),
  computerId: nullable({ ...Id, description: 'Send only events about this computer alone' }),
}

export const Webhook = closed(
  {
    id: Uuid,
    ...webhookProperties,
    principalId: { ...Id, description: 'Who created the webhook. Its roles decide which events are sent.' },
    isPaused: Type.Boolean({ examples: [false] }),
    pauseReason: nullable(
      Type.String({
        examples: ['The receiver answered 410: it wants no more events.'],
        description: 'Set if the service paused it',
      }),
    ),
    position: { ...EventPosition, description: 'Everything up to this position is delivered' },
    failures: { ...Int32, minimum: 0, examples: [0], description: 'How often the next event has failed' },
    failingSinceUtc: nullable(Instant),
    nextAttemptAtUtc: nullable(Instant),
    createdAtUtc: Instant,
  },
  { title: 'Webhook' },
)

export const secretProperty = {
  secret: Type.String({
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    description: 'Signs the messages, as Standard Webhooks prescribes. It is shown only once.',
  }),
}

export const WebhookDelivery = closed(
  {
    id: Type.Integer({ minimum: 1, examples: [7] }),
    position: { ...EventPosition, description: 'The event' },
    type: text(100, 'muster.deployment.failed'),
    attempt: { ...Int32, minimum: 1, examples: [1] },
    attemptedAtUtc: Instant,
    status: nullable(
      Type.Integer({ examples: [204], description: 'HTTP status of the answer; null if there was none' }),
    ),
    error: nullable(Type.String({ examples: ['The receiver answered 503.'], description: 'Null if it was delivered' })),
    durationMs: { ...Int32, minimum: 0, examples: [38] },
  },
  { title: 'WebhookDelivery' },
)
