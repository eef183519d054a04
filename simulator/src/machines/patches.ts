import type { PatchScan, ScannedPatch } from '../protocol.ts'
import { drawsOf, hashOf } from '../random.ts'
import type { FleetPlan, Machine } from './machine.ts'
import { type CatalogPatch, patchCatalog, releaseDateOf } from './patch-catalog.ts'

const dayMs = 86_400_000

/** The patches of the catalog that apply to a computer. */
export function patchesFor({ system, platform, isServer }: Machine): readonly CatalogPatch[] {
  const hasApplications = platform === 'windows' && !isServer
  const key = `${system.product} ${hasApplications}`
  const known =
    byProduct.get(key) ??
    patchCatalog.filter(
      ({ product }) => product === system.product || (hasApplications && /Chrome|Acrobat/.test(product)),
    )
  byProduct.set(key, known)
  return known
}

const byProduct = new Map<string, readonly CatalogPatch[]>()

/** Whether a computer lacks a patch at the start. The newer the patch, the more computers lack it. */
export function isMissingInitially({ seed }: FleetPlan, { number, isServer }: Machine, patch: CatalogPatch): boolean {
  const isWellMaintained = isServer || drawsOf(seed, number, 'care').happens(0.4)
  const probability = (isWellMaintained ? 0.1 : 1) * (0.03 + 0.6 * Math.exp(-patch.releasedDaysAgo / 25))
  return drawsOf(seed, number, 'patch', hashOf(patch.key)).happens(probability)
}

/** What a scan finds: a patch is missing if it was missing initially and has not been installed since. */
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
    definitionVersion: new Date(startedAt).toISOString().slice(0, 10).replaceAll('-', '.'),
    patches: patchesFor(machine).map((patch) => {
      const isMissing = isMissingInitially(plan, machine, patch) && !installed.has(patch.key)
      return toScannedPatch(patch, isMissing, startedAt)
    }),
  }
}

function toScannedPatch(patch: CatalogPatch, isMissing: boolean, startedAt: number): ScannedPatch {
  const { key, product, name, qNumber, bulletinId, title, severity, type, sizeBytes, cves, component } = patch
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
    component: component && { ...component, installedVersion: isMissing ? component.installedVersion : null },
  }
}
