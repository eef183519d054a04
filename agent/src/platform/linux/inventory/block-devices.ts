import { basename, dirname } from 'node:path'
import type { SystemAccess } from './system-access.ts'

/** The folder in /sys of the device of a mount, by device number, or by name for file systems without one. */
export async function deviceFolder(
  system: SystemAccess,
  { number, source }: { number: string; source: string },
): Promise<string | undefined> {
  const byNumber = await system.target(`/sys/dev/block/${number}`)
  if (byNumber || !source.startsWith('/dev/')) return byNumber
  const device = (await system.target(source)) ?? source
  return system.target(`/sys/class/block/${basename(device)}`)
}

/** How a device, or one of the devices below it, is encrypted. */
export async function encryptionOf(system: SystemAccess, folder: string): Promise<string | undefined> {
  const mapped = await system.text(`${folder}/dm/uuid`)
  const [, kind] = /^CRYPT-([A-Z]+\d?)-/.exec(mapped ?? '') ?? []
  if (kind && !/^(VERITY|INTEGRITY|TEMP)$/.test(kind)) return kind
  const below = await system.names(`${folder}/slaves`)
  if (below.length === 0) return undefined
  const kinds = await Promise.all(
    below.map(async (name) => {
      const next = await system.target(`/sys/class/block/${name}`)
      return next ? encryptionOf(system, next) : undefined
    }),
  )
  // A volume on several devices is only as protected as the weakest of them.
  return kinds.every(Boolean) ? kinds[0] : undefined
}

export async function isRemovable(system: SystemAccess, folder: string): Promise<boolean> {
  const isPartition = (await system.text(`${folder}/partition`)) !== undefined
  return (await system.text(`${isPartition ? dirname(folder) : folder}/removable`)) === '1'
}

/** The file system labels by device. */
export async function deviceLabels(system: SystemAccess): Promise<Map<string, string>> {
  const labels = await system.names('/dev/disk/by-label')
  const entries = await Promise.all(
    labels.map(async (label): Promise<[string, string]> => {
      const device = await system.target(`/dev/disk/by-label/${label}`)
      return [basename(device ?? ''), unescaped(label)]
    }),
  )
  return new Map(entries)
}

function unescaped(label: string): string {
  const bytes = label.replace(/\\x([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return label.includes('\\x') ? Buffer.from(bytes, 'latin1').toString('utf8') : label
}
