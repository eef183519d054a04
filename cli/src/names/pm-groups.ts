import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'

type PmGroup = components['schemas']['PmGroup']

/** Finds a patch management group by its name, or `#` and its id. */
export async function findPmGroup(client: MusterClient, name: string): Promise<PmGroup> {
  const { found, similar } = await searchList(
    client.pages('/api/pmgroup', { query: { top: 1_000 } }),
    (one) => isSameName(one.name, name) || `#${one.id}` === name,
    (one) => ifSimilar(name, one.name),
  )
  return chooseOne(
    found,
    'patch management group',
    name,
    (one) => `${one.name}  (#${one.id}, ${one.category})`,
    () => similar,
  )
}
