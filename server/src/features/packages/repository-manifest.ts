import {
  findCommandFault,
  type ManifestSource,
  manifestSchemas,
  type PackageManifest,
  parseSource,
  type SourceFamily,
} from '@muster/package-format'
import { findFault } from '@muster/schema'

type SoftwareManifest = Extract<PackageManifest, { kind: 'software' }>

/** What a manifest may state beside its source. No file and no command belongs to such a package. */
type StatedProperty =
  | ('displayName' | 'description' | 'category' | 'author' | 'revision')
  | ('variables' | 'requires' | 'onlyFor' | 'conflicts' | 'supersedes')

export type RepositoryPackage = Pick<SoftwareManifest, StatedProperty> & {
  name?: string
  version?: string
  operatingSystems?: string[]
  source: ManifestSource
}

/** The distributions of each family, by names that computers report. The package is not applicable to all others. */
const distributions: Record<SourceFamily, string[]> = {
  deb: ['Debian', 'Ubuntu', 'Linux Mint', 'Raspbian', 'Kali', 'Devuan'],
  rpm: [
    ...['rhel', 'Fedora', 'CentOS', 'Rocky', 'AlmaLinux', 'ol', 'amzn'],
    ...['SLES', 'SLED', 'opensuse-leap', 'opensuse-tumbleweed'],
  ],
}

/** The manifest of a package without files. What is not stated follows from its source. */
export function toRepositoryManifest({ source, ...given }: RepositoryPackage): SoftwareManifest {
  const { family, name } = parseSource(source)
  const version = source.version ?? (source.minVersion === undefined ? 'latest' : `${source.minVersion} or later`)
  return { name, version, kind: 'software', operatingSystems: distributions[family], ...given, source }
}

/** What is wrong with a property of such a manifest; undefined if nothing is. The import checks it again. */
export function findManifestFault(manifest: SoftwareManifest): { property: string; predicate: string } | undefined {
  // The check adds defaults to what it checks.
  const copy = structuredClone(manifest)
  const fault = findFault(manifestSchemas.software, copy, 'json')
  return fault ? { property: fault.name, predicate: fault.reason } : findCommandFault(copy)
}
