import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'

export async function findTag(client: MusterClient, name: string): Promise<components['schemas']['Tag']> {
  const { found, similar } = await searchList(
    client.pages('/api/tags', { query: { top: 1_000 } }),
    (one) => isSameName(one.designation, name),
    (one) => ifSimilar(name, one.designation),
  )
  return chooseOne(
    found,
    'tag',
    name,
    (one) => `${one.designation}  (#${one.id})`,
    () => similar,
  )
}
