import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'

export type View = components['schemas']['View']

/** Finds a saved view by its name or id. Of several with the name, one's own is meant. */
export async function findView(client: MusterClient, name: string): Promise<View> {
  const { found, similar } = await searchList(
    client.pages('/api/views', { query: { top: 1_000 } }),
    (one) => isSameName(one.name, name) || one.id === name,
    (one) => ifSimilar(name, one.name),
  )
  const own = found.filter(({ isOwn }) => isOwn)
  return chooseOne(
    own.length > 0 ? own : found,
    'view',
    name,
    (one) => `${one.id}  ${one.name}`,
    () => similar,
  )
}
