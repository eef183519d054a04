import type { PatchScan, ScannedPatch } from '../../../protocol.ts'
import { cleanText } from '../../common/texts.ts'
import { type RpmPackage, shownVersion } from './rpm-packages.ts'

/** A package that a patch installs here, in place of an earlier version. */
export type PatchTarget = RpmPackage & {
  installedVersion: string
  source?: { name: string; version: string } | undefined
  sizeBytes?: number | undefined
}

/**
 * A patch of an RPM distribution: an advisory of its repositories, or an update of one package that no advisory names. The key
 * of an advisory is its id; that of an update is the name of the package and its version.
 */
export type RpmPatch = {
  key: string
  isAdvisory: boolean
  isMissing: boolean
  installedAt?: Date | undefined
  title?: string | undefined
  /** As the distribution names it. */
  severity?: string | undefined
  type: NonNullable<ScannedPatch['type']>
  releaseDate?: string | undefined
  cves: readonly string[]
  /** Undefined if the metadata of the tool does not say. */
  restartSuggested?: boolean | undefined
  /** What is to be installed. Empty if nothing is missing. */
  targets: readonly PatchTarget[]
  /** Why it cannot be installed, apart from locks, as a clause. */
  obstacle?: string | undefined
  /** Which lock on the computer keeps it from being installed. */
  lockedBy?: string | undefined
}

/** Others are no ids that a tool can be given. */
export const isAdvisoryId = (text: string) => /^[A-Za-z0-9][\w.:+~-]{0,199}$/.test(text)

export const isCve = (text: string) => /^CVE-\d{4}-\d{4,19}$/.test(text)

const maxCves = 1_000
/** The maximum that the server accepts. */
const maxPatches = 20_000

export function toPatchScan(
  patches: readonly RpmPatch[],
  product: string,
  { scannedAt, definitionAt }: { scannedAt: Date; definitionAt: Date | undefined },
): PatchScan {
  return {
    scannedUtc: scannedAt.toISOString(),
    definitionUtc: definitionAt?.toISOString() ?? null,
    // What is missing counts most if there are too many.
    patches: patches
      .toSorted((one, other) => Number(other.isMissing) - Number(one.isMissing))
      .slice(0, maxPatches)
      .map((patch) => toScanned(patch, product)),
  }
}

function toScanned(patch: RpmPatch, product: string): ScannedPatch {
  const { key, isAdvisory, isMissing, installedAt, targets } = patch
  const sizes = targets.flatMap(({ sizeBytes }) => sizeBytes ?? [])
  const component = componentOf(targets)
  return {
    key,
    product,
    status: isMissing ? 'Missing' : 'Installed',
    name: key,
    type: patch.type,
    cves: [...new Set(patch.cves)].slice(0, maxCves),
    ...(isMissing ? {} : { installedUtc: installedAt?.toISOString() ?? null }),
    ...(isAdvisory && { bulletinId: key }),
    ...(patch.title && { title: cleanText(patch.title.slice(0, 2_000), 1_000) }),
    ...(patch.severity && { severity: cleanText(patch.severity.slice(0, 500), 255) }),
    ...(patch.releaseDate && { releaseDate: patch.releaseDate }),
    ...(sizes.length > 0 && { sizeBytes: sizes.reduce((sum, size) => sum + size, 0) }),
    ...(component && { component }),
    ...(isMissing && patch.lockedBy !== undefined && { lockedBy: patch.lockedBy }),
    ...(isMissing && patch.restartSuggested !== undefined && { restartSuggested: patch.restartSuggested }),
  }
}

/** The package that stands for all, if one source package makes them: the one with its name, or the first. */
function componentOf(targets: readonly PatchTarget[]): ScannedPatch['component'] | undefined {
  const [first] = targets
  if (!first) return undefined
  const sources = new Set(targets.map(({ source, name }) => source?.name ?? name))
  if (sources.size > 1) return undefined
  const shown = targets.find(({ name }) => sources.has(name)) ?? first
  return {
    name: shown.name,
    version: shownVersion(shown.version),
    installedVersion: shownVersion(shown.installedVersion),
    ...(shown.source && { sourceName: shown.source.name, sourceVersion: shownVersion(shown.source.version) }),
  }
}
