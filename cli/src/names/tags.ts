import type { components, MusterClient } from '@muster/client'
import { chooseOne, isSameName, similarTo } from './choose.ts'

export async function findTag(client: MusterClient, name: string): Promise<components['schemas']['Tag']> {
  const tags = await Array.fromAsync(client.pages('/api/tags', { query: { top: 1_000 } }))
  const found = tags.filter((one) => isSameName(one.designation, name))
  return chooseOne(
    found,
    'tag',
    name,
    (one) => `${one.designation}  (#${one.id})`,
    () =>
      similarTo(
        name,
        tags.map((one) => one.designation),
      ),
  )
}
