import { answerOf, type components, type MusterClient } from '@muster/client'
import { UsageError } from '../errors.ts'
import { chooseOne, isSameName, searchList } from './choose.ts'

export type NamedPatch = Pick<components['schemas']['FleetPatch'], 'patchId' | 'patchName' | 'qNumber'>

export const formatPatch = ({ patchId, patchName, qNumber }: NamedPatch) => patchName ?? qNumber ?? `#${patchId}`

/** Finds patches by their names, numbers, CVEs and bulletins. The error names all that are missing or ambiguous. */
export async function findPatches(client: MusterClient, names: readonly string[]): Promise<NamedPatch[]> {
  const results = await Promise.allSettled(names.map((name) => findPatchesOf(client, name)))
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  const other = failures.find((failure) => !(failure instanceof UsageError))
  if (other) throw other
  if (failures.length > 0) throw new UsageError(failures.flatMap(({ message }) => message.split('\n')))
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  return [...new Map(found.map((patch) => [patch.patchId, patch])).values()]
}

/** The only patch with a name, a number, a CVE or a bulletin. */
export async function findPatch(client: MusterClient, name: string): Promise<NamedPatch> {
  const found = await findPatchesOf(client, name)
  return chooseOne(
    found,
    'patch',
    name,
    (one) => `${formatPatch(one)}  (#${one.patchId})`,
    () => [],
  )
}

/** A CVE or a bulletin has several patches, and a name or a number stands for one. */
async function findPatchesOf(client: MusterClient, name: string): Promise<NamedPatch[]> {
  const id = /^#(\d+)$/.exec(name)?.[1]
  if (id !== undefined)
    return [await answerOf(client.GET('/api/patches/{patchId}', { params: { path: { patchId: Number(id) } } }))]
  const { found, similar } = await searchList(
    client.pages('/api/fleet/patches', { query: { search: name, top: 1_000 } }),
    ({ patchName, qNumber, bulletinId, cves }) =>
      [patchName, qNumber, bulletinId, ...cves].some((one) => isSameName(one, name)),
    formatPatch,
  )
  const ofAdvisory = found.filter(({ bulletinId, cves }) => [bulletinId, ...cves].some((one) => isSameName(one, name)))
  if (ofAdvisory.length > 0) return ofAdvisory
  return [
    chooseOne(
      found,
      'patch',
      name,
      (one) => `${formatPatch(one)}  (#${one.patchId}, ${[one.qNumber, one.bulletinId].filter(Boolean).join(', ')})`,
      () => similar,
    ),
  ]
}
