import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'

export type Webhook = components['schemas']['Webhook']

/** Finds a webhook by its name or id. */
export async function findWebhook(client: MusterClient, name: string): Promise<Webhook> {
  const { found, similar } = await searchList(
    client.pages('/api/webhooks', { query: { top: 1_000 } }),
    (one) => isSameName(one.name, name) || one.id === name,
    (one) => ifSimilar(name, one.name),
  )
  return chooseOne(
    found,
    'webhook',
    name,
    (one) => `${one.id}  ${one.name}`,
    () => similar,
  )
}
