import type { components, MusterClient } from '@muster/client'
import { chooseOne, isSameName, searchList } from './choose.ts'

export type PackageSummary = components['schemas']['PackageSummary']

export const formatPackage = ({ name, version, revision }: Pick<PackageSummary, 'name' | 'version' | 'revision'>) =>
  [version ? `${name}@${version}` : name, revision ? `revision ${revision}` : ''].filter(Boolean).join(', ')

/** Finds a package by its name, or by `name@version` if there are several. */
export async function findPackage(client: MusterClient, text: string): Promise<PackageSummary> {
  const at = text.lastIndexOf('@')
  const [name, version] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined]
  const { found, similar } = await searchList(
    client.pages('/api/fleet/packages', { query: { search: name, top: 1_000 } }),
    (one) => isNamed(one, text) || (isNamed(one, name) && one.version === version),
    formatPackage,
  )
  return chooseOne(
    found,
    'package',
    text,
    (one) => `${formatPackage(one)}  (${one.id})`,
    () => similar,
  )
}

function isNamed(one: PackageSummary, name: string): boolean {
  return isSameName(one.name, name) || isSameName(one.packageName, name) || one.id === name
}
