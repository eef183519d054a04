import { compositeKey } from '@muster/text'
import type { PatchScan, ScannedPatch } from '../../../protocol.ts'
import { cleanText } from '../../common/texts.ts'
import type { PastInstallation, WindowsUpdate } from './update-agent.ts'

/** The maximum that the server accepts. */
const maxPatches = 20_000

/** The classifications of updates, which are the same in all languages. */
const classes = {
  security: '0fa1201d-4330-4fa8-8ae9-b877473b6441',
  definitions: 'e0789628-ce08-4437-be74-2495b842f43b',
  tools: 'b4832bd8-e735-4761-8daf-37f882276dab',
  featurePacks: 'b54e7d24-7add-428f-8b75-90a396fa584f',
  upgrades: '3689bdc8-b205-4af4-8d4a-a63924c5e9d5',
} as const

/**
 * The key of an update in scans and catalogs: the number of its article, as catalogs of patches have it. Several updates
 * share a number, one for each architecture; only one of them applies to a computer. Updates without a number have the id
 * that Microsoft has given to them.
 */
export function patchKey({ kbArticleIds, updateId }: WindowsUpdate): string {
  const [number] = kbArticleIds
  return number ? toKbNumber(number) : updateId
}

const toKbNumber = (number: string) => `KB${number.replace(/^KB/i, '')}`

/** The product of an update, for example `Windows 11`; without one, that of the computer. */
export function patchProduct({ categories }: WindowsUpdate, fallback: string): string {
  return cleanText(categories.find(({ type }) => type === 'Product')?.name) ?? fallback
}

export function toPatchScan(
  updates: readonly WindowsUpdate[],
  history: readonly PastInstallation[],
  product: string,
  scannedAt: Date,
): PatchScan {
  const installedAt = new Map(history.map(({ updateId, at }) => [updateId, at]))
  const patches = new Map<string, ScannedPatch>()
  for (const update of updates) {
    const patch = toPatch(update, product, installedAt.get(update.updateId))
    const key = compositeKey(patch.key, patch.product)
    // An article can have a newer edition: as long as one is missing, the patch is.
    if (patch.status === 'Missing' || !patches.has(key)) patches.set(key, patch)
  }
  return {
    scannedUtc: scannedAt.toISOString(),
    definitionUtc: newestOf(updates),
    patches: [...patches.values()].slice(0, maxPatches),
  }
}

function toPatch(update: WindowsUpdate, product: string, installedAt: Date | undefined): ScannedPatch {
  const [number] = update.kbArticleIds
  return {
    key: patchKey(update),
    product: patchProduct(update, product),
    status: update.isInstalled ? 'Installed' : 'Missing',
    installedUtc: update.isInstalled ? (installedAt?.toISOString() ?? null) : null,
    name: cleanText(update.title, 500),
    qNumber: number ? toKbNumber(number) : null,
    bulletinId: cleanText(update.bulletinIds[0]),
    title: cleanText(update.title, 500),
    url: cleanText(update.supportUrl, 1000),
    severity: cleanText(update.msrcSeverity, 100),
    type: typeOf(update),
    releaseDate: update.changedAt?.toISOString().slice(0, 10) ?? null,
    sizeBytes: update.maxDownloadBytes && update.maxDownloadBytes > 0 ? Math.round(update.maxDownloadBytes) : null,
    cves: update.cveIds.filter((id) => /^CVE-\d{4}-\d{4,}$/.test(id)),
  }
}

/** Cumulative updates are security updates even where Microsoft states no severity. */
function typeOf({ categories, msrcSeverity, cveIds, bulletinIds }: WindowsUpdate): NonNullable<ScannedPatch['type']> {
  const ids = new Set(categories.map(({ id }) => id.toLowerCase()))
  if (ids.has(classes.definitions) || ids.has(classes.tools)) return 'SecurityTool'
  if (ids.has(classes.security) || msrcSeverity || cveIds.length > 0 || bulletinIds.length > 0) return 'SecurityPatch'
  return ids.has(classes.featurePacks) || ids.has(classes.upgrades) ? 'SoftwareDistribution' : 'NonSecurityPatch'
}

/** The update server states no date of its definitions; they are at least as recent as the newest update. */
function newestOf(updates: readonly WindowsUpdate[]): string | null {
  const newest = Math.max(0, ...updates.map(({ changedAt }) => changedAt?.getTime() ?? 0))
  return newest > 0 ? new Date(newest).toISOString() : null
}
