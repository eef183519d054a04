import { api, type Schemas, versionOf } from '../../api/client.ts'

export type Webhook = Schemas['Webhook']
export type WebhookDelivery = Schemas['WebhookDelivery']

export const webhooksKey = ['webhooks'] as const

export const webhookQuery = (id: string) => ({
  queryKey: [...webhooksKey, id],
  queryFn: () => versionOf(api.GET('/api/webhooks/{id}', { params: { path: { id } } })),
})

export function webhookState({ isPaused, failures }: Webhook): 'paused' | 'failing' | 'active' {
  if (isPaused) return 'paused'
  return failures > 0 ? 'failing' : 'active'
}

export const stateKinds = { active: 'good', failing: 'bad', paused: 'warning' } as const
