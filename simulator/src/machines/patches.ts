import { rolledBack } from '../fleet.ts'
import type { PatchScan, ScannedPatch } from '../protocol.ts'
import { drawsOf, hashOf } from '../random.ts'
import type { FleetPlan, Machine } from './machine.ts'
import { type CatalogPatch, patchCatalog, releaseDateOf } from './patch-catalog.ts'

const dayMs = 86_400_000

/** The patches of the catalog that apply to a computer. */
export function patchesFor({ system, platform, isServer }: Machine): readonly CatalogPatch[] {
  const hasApplications = platform === 'windows' && !isServer
  const known =
    byRelease.get(system.release) ??
    patchCatalog.filter(({ release }) => (release === null ? hasApplications : release === system.release))
  byRelease.set(system.release, known)
  return known
}

const byRelease = new Map<string, readonly CatalogPatch[]>()

/** Whether a computer lacks a patch at the start. The newer the patch, the more computers lack it. */
export function isMissingInitially({ seed }: FleetPlan, { number, isServer }: Machine, patch: CatalogPatch): boolean {
  const isWellMaintained = isServer || drawsOf(seed, number, 'care').happens(0.4)
  const probability = (isWellMaintained ? 0.1 : 1) * (0.03 + 0.6 * Math.exp(-patch.releasedDaysAgo / 25))
  return drawsOf(seed, number, 'patch', hashOf(patch.key)).happens(probability)
}

/** What a scan finds: a patch is missing if it was missing initially and has not been installed since, or if it was rolled back. */
export function patchScanOf(
  plan: FleetPlan,
  machine: Machine,
  installed: ReadonlySet<string>,
  scannedAt: number,
): PatchScan {
  const { startedAt } = plan
  return {
    scannedUtc: new Date(scannedAt).toISOString(),
    definitionUtc: new Date(startedAt).toISOString(),
    // The Windows Update Agent does not state a version.
    ...(machine.platform !== 'windows' && { definitionVersion: versionOf(startedAt) }),
    patches: patchesFor(machine).map((patch) => {
      const { key } = patch
      const isMissing =
        installed.has(rolledBack(key)) || (isMissingInitially(plan, machine, patch) && !installed.has(key))
      const lock = isMissing ? lockOf(plan, machine, patch) : {}
      return { ...toScannedPatch(patch, isMissing, startedAt), ...ofPlatform(machine, patch, isMissing), ...lock }
    }),
  }
}

const versionOf = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll('-', '.')

/** The share of computers of Linux on which an administrator has locked a package. */
const lockedShare = 0.02

/** The share of computers of Linux whose repositories still have the version before. */
const rollbackShare = 0.85

/** Why a computer cannot roll a patch back; null if it can. */
export function findRollbackObstacle({ seed }: FleetPlan, { number, platform }: Machine, key: string): string | null {
  if (platform === 'windows') return 'On Windows, Muster cannot roll patches back.'
  if (drawsOf(seed, number, 'rollback', hashOf(key)).happens(rollbackShare)) return null
  return 'The version before it is no longer in the repositories of this computer, nor in its cache.'
}

/** Windows has a page for each patch and one text as name and title. Distributions name the package of a patch. */
function ofPlatform({ platform }: Machine, { key, name, component }: CatalogPatch, isMissing: boolean) {
  if (platform === 'windows') return { title: name, url: `https://support.example.org/help/${key}` }
  return { component: component && { ...component, installedVersion: isMissing ? component.installedVersion : null } }
}

/** What only the computer itself knows about a patch that it lacks. */
function lockOf({ seed }: FleetPlan, { number, platform }: Machine, { component }: CatalogPatch) {
  if (platform === 'windows' || !component) return {}
  const isLocked = drawsOf(seed, number, 'locked', hashOf(component.name)).happens(lockedShare)
  return {
    restartSuggested: /^(linux-image|kernel|libc6|glibc|systemd)/.test(component.name),
    ...(isLocked && { lockedBy: 'apt-mark hold' }),
  }
}

function toScannedPatch(patch: CatalogPatch, isMissing: boolean, startedAt: number): ScannedPatch {
  const { key, product, name, qNumber, bulletinId, title, severity, type, sizeBytes, cves } = patch
  const installedAt = startedAt - Math.max(0, patch.releasedDaysAgo - 2) * dayMs
  return {
    key,
    product,
    status: isMissing ? 'Missing' : 'Installed',
    installedUtc: isMissing ? null : new Date(installedAt).toISOString(),
    name,
    qNumber,
    bulletinId,
    title,
    severity,
    type,
    releaseDate: releaseDateOf(patch, startedAt),
    sizeBytes,
    cves,
  }
}
