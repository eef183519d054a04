import { compareRpmVersions } from '../repositories/rpm-versions.ts'
import type { PatchTarget, RpmPatch } from './advisory.ts'
import { mayNeedRestart } from './restart.ts'
import {
  formatNevra,
  type InstalledRpm,
  newestInstalled,
  newestOf,
  type RpmPackage,
  shownVersion,
} from './rpm-packages.ts'

export type AvailableRpm = RpmPackage & Pick<PatchTarget, 'sizeBytes' | 'source'>

/** What the computer has, and what its repositories offer: with and without what locks hide. Both by name and version. */
export type RpmContext = {
  installed: readonly InstalledRpm[]
  available: ReadonlyMap<string, AvailableRpm>
  free: ReadonlyMap<string, unknown>
  lockName: string
}

type FoundTargets = Pick<RpmPatch, 'targets' | 'lockedBy' | 'obstacle'>

/** What has to be installed of these packages: those of which an earlier version is installed. */
export function targetsFrom(context: RpmContext, packages: readonly RpmPackage[]): FoundTargets {
  const { installed, available, free, lockName } = context
  const installedOf = newestInstalled(installed)
  const targets = newestOf(packages).flatMap((one): PatchTarget[] => {
    const before = installedOf(one)
    if (!before || compareRpmVersions(before.version, one.version) >= 0) return []
    const { sizeBytes, source } = available.get(formatNevra(one)) ?? {}
    return [{ ...one, installedVersion: before.version, sizeBytes, source }]
  })
  const isLocked = targets.some((one) => available.has(formatNevra(one)) && !free.has(formatNevra(one)))
  const absent = targets.filter((one) => !available.has(formatNevra(one)))
  return {
    targets,
    ...(isLocked && { lockedBy: lockName }),
    ...(absent.length > 0 && {
      obstacle: `the repositories of this computer do not have ${absent.slice(0, 10).map(formatNevra).join(', ')}, but another version`,
    }),
  }
}

/** Updates that no advisory names: one patch for each package in its newest version, for all architectures. */
export function packagePatches(context: RpmContext, updates: readonly AvailableRpm[]): RpmPatch[] {
  const byKey = new Map<string, RpmPackage[]>()
  for (const one of newestOf(updates)) {
    const key = packageKey(one)
    byKey.set(key, [...(byKey.get(key) ?? []), one])
  }
  return [...byKey].flatMap(([key, packages]): RpmPatch[] => {
    const found = targetsFrom(context, packages)
    if (found.targets.length === 0) return []
    const restartSuggested = packages.some(({ name }) => mayNeedRestart(name))
    const type = 'NonSecurityPatch' as const
    return [{ key, isAdvisory: false, isMissing: true, type, cves: [], ...found, restartSuggested }]
  })
}

export const packageKey = ({ name, version }: RpmPackage) => `${name} ${shownVersion(version)}`

type PresentAdvisory = Omit<RpmPatch, 'isAdvisory' | 'isMissing' | 'targets'> & { packages: readonly RpmPackage[] }

/**
 * Which patches count as installed: security advisories that have brought a version which is installed now, and everything that was
 * missing in an earlier scan. Without this rule, a computer would report all advisories since the release of its distribution.
 */
export function installedPatches(
  installed: readonly InstalledRpm[],
  advisories: readonly PresentAdvisory[],
  known: ReadonlySet<string>,
): RpmPatch[] {
  const byName = new Map(installed.map((one) => [formatNevra(one), one]))
  const advised = advisories.flatMap(({ packages, ...advisory }): RpmPatch[] => {
    const present = packages.flatMap((one) => byName.get(formatNevra(one)) ?? [])
    const isReported = known.has(advisory.key) || (advisory.type === 'SecurityPatch' && present.length > 0)
    return isReported ? [toInstalled({ ...advisory, isAdvisory: true }, present)] : []
  })
  const updated = new Map<string, InstalledRpm[]>()
  for (const one of installed) {
    const key = packageKey(one)
    if (known.has(key)) updated.set(key, [...(updated.get(key) ?? []), one])
  }
  const type = 'NonSecurityPatch' as const
  const packages = [...updated].map(([key, present]) =>
    toInstalled({ key, type, cves: [], isAdvisory: false }, present),
  )
  return [...advised, ...packages]
}

function toInstalled(patch: Omit<RpmPatch, 'isMissing' | 'targets'>, present: readonly InstalledRpm[]): RpmPatch {
  const newest = Math.max(0, ...present.map(({ installedAt }) => installedAt?.getTime() ?? 0))
  return { ...patch, isMissing: false, targets: [], installedAt: newest > 0 ? new Date(newest) : undefined }
}
