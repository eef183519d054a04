import { compareRpmVersions } from '../repositories/rpm-versions.ts'
import { requireRead } from '../repositories/tools.ts'

/** A package in one version, as rpm identifies it. The version is `epoch:version-release`. */
export type RpmPackage = { name: string; version: string; architecture: string }

export type InstalledRpm = RpmPackage & { installedAt: Date | undefined }

const namePattern = /^[A-Za-z0-9_][\w.+-]*$/
const partPattern = /^[\w.+~^]+$/
/** Name and version have a place in a report. */
const maxNevraLength = 250

/** Parses `openssl-libs-1:3.0.7-27.el9.x86_64`, in which tools omit an epoch of 0. */
export function parseNevra(text: string): RpmPackage | undefined {
  if (text.length > maxNevraLength) return undefined
  const [beforeArchitecture, architecture] = splitLast(text, '.')
  const [beforeRelease, release] = splitLast(beforeArchitecture, '-')
  const [name, fullVersion] = splitLast(beforeRelease, '-')
  const [, epoch = '0', version = ''] = /^(?:(\d{1,10}):)?(.*)$/s.exec(fullVersion) ?? []
  const isValid =
    namePattern.test(name) && /^\w+$/.test(architecture) && [version, release].every((part) => partPattern.test(part))
  return isValid ? { name, version: `${epoch}:${version}-${release}`, architecture } : undefined
}

function splitLast(text: string, separator: string): [before: string, after: string] {
  const at = text.lastIndexOf(separator)
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 1)]
}

export const formatNevra = ({ name, version, architecture }: RpmPackage) => `${name}-${version}.${architecture}`

/** The version as people know it, without an epoch of 0. */
export const shownVersion = (version: string) => version.replace(/^0:/, '')

/** Of several versions of a package, as kernels have them, all are listed. */
export async function listInstalled(): Promise<InstalledRpm[]> {
  const fields = ['NAME', 'EPOCHNUM', 'VERSION', 'RELEASE', 'ARCH', 'INSTALLTIME'].map((field) => `%{${field}}`)
  const text = await requireRead('rpm', ['-qa', '--qf', `${fields.join('\\t')}\\n`])
  return text.split('\n').flatMap((line) => {
    const [name, epoch, version, release, architecture, time] = line.split('\t')
    if (!name || !architecture) return []
    const seconds = Number(time)
    const installedAt = seconds > 0 ? new Date(seconds * 1_000) : undefined
    return [{ name, version: `${epoch}:${version}-${release}`, architecture, installedAt }]
  })
}

/** What one version takes the place of another one in. */
export const placeOf = ({ name, architecture }: RpmPackage) => `${name}.${architecture}`

/** The newest installed version of each package and architecture. */
export function newestInstalled(installed: readonly InstalledRpm[]): (wanted: RpmPackage) => InstalledRpm | undefined {
  const newest = new Map<string, InstalledRpm>()
  for (const one of installed) {
    const before = newest.get(placeOf(one))
    if (!before || compareRpmVersions(before.version, one.version) < 0) newest.set(placeOf(one), one)
  }
  return (wanted) => newest.get(placeOf(wanted))
}

/** Only the newest of several versions of a package can be asked for. */
export function newestOf<T extends RpmPackage>(packages: readonly T[]): T[] {
  const newest = new Map<string, T>()
  for (const one of packages) {
    const before = newest.get(placeOf(one))
    if (!before || compareRpmVersions(before.version, one.version) < 0) newest.set(placeOf(one), one)
  }
  return [...newest.values()]
}
