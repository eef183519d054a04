import type { PatchScan, ScannedPatch } from '../protocol.ts'
import { drawsOf, hashOf } from '../random.ts'
import type { FleetPlan, Machine } from './machine.ts'
import { type CatalogPatch, patchCatalog, releaseDateOf } from './patch-catalog.ts'

const dayMs = 86_400_000

/** The patches of the catalog that are for this computer. */
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

/** Whether the computer lacked the patch at first: the newer it is, the more lack it. */
export function isMissingAtFirst({ seed }: FleetPlan, { number, isServer }: Machine, patch: CatalogPatch): boolean {
  const isKept = isServer || drawsOf(seed, number, 'care').happens(0.4)
  const probability = (isKept ? 0.1 : 1) * (0.03 + 0.6 * Math.exp(-patch.releasedDaysAgo / 25))
  return drawsOf(seed, number, 'patch', hashOf(patch.key)).happens(probability)
}

/** What a scan finds: what was missing at first, without what was installed since. */
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
      const isMissing = isMissingAtFirst(plan, machine, patch) && !installed.has(patch.key)
      return scanned(patch, isMissing, startedAt)
    }),
  }
}

function scanned(patch: CatalogPatch, isMissing: boolean, startedAt: number): ScannedPatch {
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
