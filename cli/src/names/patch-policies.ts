import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'

export type PatchPolicy = components['schemas']['PatchPolicy']

/** Finds a patch policy by its name or id. */
export async function findPatchPolicy(client: MusterClient, name: string): Promise<PatchPolicy> {
  const { found, similar } = await searchList(
    client.pages('/api/patch-policies', { query: { top: 1_000 } }),
    (one) => isSameName(one.name, name) || String(one.id) === name,
    (one) => ifSimilar(name, one.name),
  )
  return chooseOne(
    found,
    'patch policy',
    name,
    (one) => `${one.id}  ${one.name}`,
    () => similar,
  )
}
