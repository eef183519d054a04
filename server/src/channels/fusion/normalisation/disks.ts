import { type Entry, entriesOf, joinTexts, toNumber, toText } from './values.ts'

const driveTypes: readonly [RegExp, number][] = [
  [/^(removable|usb)/i, 2],
  [/^(network|nfs4?|cifs|smbfs|smb3|afpfs|afs|ceph|glusterfs|9p|virtiofs|fuse\.sshfs)/i, 4],
  [/^(cd|dvd|compact|iso9660|udf)/i, 5],
  [/^(ram|tmpfs|devtmpfs)/i, 6],
]
const fixedDriveTypeCode = 3

export function toDisks(content: Entry) {
  const found = entriesOf(content.drives).flatMap((drive) => {
    // Under Windows, `type` is the kind of the drive; elsewhere it is the mount point.
    const letter = toText(drive.letter)
    const volume = letter ?? toText(drive.type)
    if (volume === null) return []
    const kinds = [letter === null ? null : toText(drive.type), toText(drive.filesystem)].filter(
      (text) => text !== null,
    )
    return {
      volume,
      driveTypeCode:
        driveTypes.find(([pattern]) => kinds.some((text) => pattern.test(text)))?.[1] ?? fixedDriveTypeCode,
      totalSpaceGb: toGigabytes(drive.total),
      freeSpaceGb: toGigabytes(drive.free),
      label: toText(drive.label) ?? (letter === null ? null : toText(drive.volumn)),
      bitlockerStatus: toEncryptionState(drive),
      bitlockerKeyProtectors: joinTexts([toText(drive.encrypt_name), toText(drive.encrypt_algo)]),
    }
  })
  return [...new Map(found.map((disk) => [disk.volume, disk])).values()]
}

/** What is compared to detect a change. Free space changes all the time, so only steps of one percent count. */
export function toLastingPart(disk: ReturnType<typeof toDisks>[number]): unknown {
  const step = Math.max(0.1, (disk.totalSpaceGb ?? 0) / 100)
  return { ...disk, freeSpaceGb: disk.freeSpaceGb === null ? null : Math.floor(disk.freeSpaceGb / step) }
}

function toGigabytes(megabytes: unknown): number | null {
  const number = toNumber(megabytes)
  return number === null || number < 0 || number > 1e12 ? null : Math.round(number / 102.4) / 10
}

/** Agents under Linux report encryption only for encrypted drives. */
function toEncryptionState({ encrypt_status }: Entry): 'Encrypted' | 'Unencrypted' | 'NotAvailable' {
  const status = toText(encrypt_status)?.toLowerCase()
  if (status === 'yes') return 'Encrypted'
  return status === 'no' ? 'Unencrypted' : 'NotAvailable'
}
