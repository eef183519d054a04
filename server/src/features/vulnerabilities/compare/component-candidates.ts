import { type ComparedType, toComparedComponent, toComparedKey } from '../documents/compared-versions.ts'
import { streamOf } from '../documents/vulnerability-document.ts'

/** How certain it is that an advisory is about an installed product. */
export const matchKinds = ['SourcePackage', 'BinaryPackage', 'PackageName'] as const

export type MatchKind = (typeof matchKinds)[number]

/**
 * A product on a platform, and one of the packages from which computers say that it is built. A package of a language is its own
 * source, and the language its platform.
 */
export type InstalledOnPlatform = {
  productId: number
  platform: string
  name: string
  version: string | null
  source: { id: number; name: string; version: string } | null
}

export type ComponentCandidate = {
  productId: number
  platform: string
  component: string
  version: string
  versionKey: string
  stream: string
  matchKind: MatchKind
  softwareSourceId: number | null
}

/**
 * The packages that advisories may name for an installed product. Advisories for Debian and Ubuntu name source packages. Of those for
 * RPM, some name source packages and some the packages that are built from them. Without a reported source package, a package of
 * Debian is assumed to be built from one with its own name; the version of one of RPM then lacks its epoch and cannot be compared.
 */
export function listComponentCandidates(installed: InstalledOnPlatform, type: ComparedType): ComponentCandidate[] {
  const { name, version, source } = installed
  const toCandidate = (named: string, at: string, matchKind: MatchKind): ComponentCandidate[] => {
    const versionKey = toComparedKey(type, at)
    if (versionKey === undefined) return []
    const { productId, platform } = installed
    const component = toComparedComponent(type, platform, named)
    const softwareSourceId = source?.id ?? null
    return [
      { productId, platform, component, version: at, versionKey, stream: streamOf(at), matchKind, softwareSourceId },
    ]
  }
  if (!source) return type === 'deb' && version !== null ? toCandidate(name, version, 'PackageName') : []
  const ofSource = toCandidate(source.name, source.version, 'SourcePackage')
  const isSame = source.name.toLowerCase() === name.toLowerCase()
  if (type !== 'rpm' || version === null || isSame) return ofSource
  const epoch = /^\d+:/.exec(source.version)?.[0] ?? ''
  return [...ofSource, ...toCandidate(name, /^\d+:/.test(version) ? version : `${epoch}${version}`, 'BinaryPackage')]
}
