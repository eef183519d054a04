import type { BitlockerState } from '../../../protocol.ts'
import type { WmiRow } from '../wmi/wmi.ts'
import { questions } from './questions.ts'
import type { WindowsSources } from './sources.ts'
import { byText, numberOf, textOf, textsOf } from './values.ts'

/** The names of key protectors as PowerShell has them, by their number in WMI. */
const protectorNames: Record<number, string> = {
  1: 'Tpm',
  2: 'ExternalKey',
  3: 'RecoveryPassword',
  4: 'TpmPin',
  5: 'TpmStartupKey',
  6: 'TpmPinStartupKey',
  7: 'PublicKey',
  8: 'Password',
  9: 'TpmNetworkKey',
  10: 'AdAccountOrGroup',
}

/** The key protectors of each encryptable volume, by its drive letter. */
export type Encryption = Map<string, { row: WmiRow; protectors: string[] }>

export async function collectDisks(sources: WindowsSources) {
  const rows = await sources.rows(questions.volumes)
  if (!rows) return undefined
  const items = toDisks(rows, await encryptionOf(sources))
  // Free space changes all the time: only changes of a whole percent are worth reporting.
  const hashed = items.map((item) => ({ ...item, freeSpaceGb: inSteps(item.freeSpaceGb, item.totalSpaceGb) }))
  return { items, hashed }
}

async function encryptionOf(sources: WindowsSources): Promise<Encryption> {
  const encryption: Encryption = new Map()
  for (const row of (await sources.rows(questions.encryption)) ?? []) {
    const letter = textOf(row.DriveLetter)
    if (letter !== null) encryption.set(letter, { row, protectors: await protectorsOf(sources, row) })
  }
  return encryption
}

/** BitLocker lists the protectors of one kind at a time. */
async function protectorsOf(sources: WindowsSources, row: WmiRow): Promise<string[]> {
  const id = textOf(row.DeviceID)
  if (id === null) return []
  const found: string[] = []
  for (const [kind, name] of Object.entries(protectorNames)) {
    const answer = await sources.call({
      namespace: questions.encryption.namespace,
      path: `${questions.encryption.from}.DeviceID="${id.replaceAll('\\', '\\\\')}"`,
      method: 'GetKeyProtectors',
      args: { KeyProtectorType: Number(kind) },
      results: ['VolumeKeyProtectorID'],
    })
    if (textsOf(answer?.VolumeKeyProtectorID).length > 0) found.push(name)
  }
  return found
}

export function toDisks(rows: readonly WmiRow[], encryption: Encryption) {
  const items = rows.flatMap((row) => {
    const volume = textOf(row.DeviceID)
    if (volume === null) return []
    const encrypted = encryption.get(volume)
    return {
      volume,
      driveTypeCode: numberOf(row.DriveType) ?? 0,
      totalSpaceGb: gigabytes(row.Size),
      freeSpaceGb: gigabytes(row.FreeSpace),
      label: textOf(row.VolumeName),
      bitlockerStatus: encrypted ? statusOf(encrypted.row) : 'NotAvailable',
      bitlockerKeyProtectors: encrypted ? encrypted.protectors.join(', ') || null : null,
    }
  })
  return items.toSorted((a, b) => byText(a.volume, b.volume))
}

const protection = { off: 0, on: 1, locked: 2 } as const

/** A volume that is locked cannot be read without its key, so it is encrypted. Suspended protection leaves the key open. */
function statusOf({ ProtectionStatus: status }: WmiRow): BitlockerState {
  if (status === protection.on || status === protection.locked) return 'Encrypted'
  return status === protection.off ? 'Unencrypted' : 'NotAvailable'
}

function gigabytes(bytes: WmiRow[string] | undefined): number | null {
  const number = numberOf(bytes)
  return number === null ? null : Math.round((10 * number) / 1024 ** 3) / 10
}

function inSteps(free: number | null, total: number | null): number | null {
  const step = Math.max(0.1, (total ?? 0) / 100)
  return free === null ? null : Math.floor(free / step)
}
