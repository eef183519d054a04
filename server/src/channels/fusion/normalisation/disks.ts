import { type Entry, entriesOf, listed, numberOf, told } from './values.ts'

const driveTypes: readonly [RegExp, number][] = [
  [/^(removable|usb)/i, 2],
  [/^(network|nfs4?|cifs|smbfs|smb3|afpfs|afs|ceph|glusterfs|9p|virtiofs|fuse\.sshfs)/i, 4],
  [/^(cd|dvd|compact|iso9660|udf)/i, 5],
  [/^(ram|tmpfs|devtmpfs)/i, 6],
]
const fixed = 3

export function disks(content: Entry) {
  const found = entriesOf(content.drives).flatMap((drive) => {
    // Under Windows the type is a word for the drive, elsewhere the place where it is mounted.
    const letter = told(drive.letter)
    const volume = letter ?? told(drive.type)
    if (volume === null) return []
    const kind = [letter === null ? null : told(drive.type), told(drive.filesystem)].filter((text) => text !== null)
    return {
      volume,
      driveTypeCode: driveTypes.find(([pattern]) => kind.some((text) => pattern.test(text)))?.[1] ?? fixed,
      totalSpaceGb: gigabytes(drive.total),
      freeSpaceGb: gigabytes(drive.free),
      label: told(drive.label) ?? (letter === null ? null : told(drive.volumn)),
      bitlockerStatus: encryption(drive),
      bitlockerKeyProtectors: listed([told(drive.encrypt_name), told(drive.encrypt_algo)]),
    }
  })
  return [...new Map(found.map((disk) => [disk.volume, disk])).values()]
}

/** Free space moves all the time: each hundredth of the disk is news, and not each megabyte. */
export function lastingPart(disk: ReturnType<typeof disks>[number]): unknown {
  const step = Math.max(0.1, (disk.totalSpaceGb ?? 0) / 100)
  return { ...disk, freeSpaceGb: disk.freeSpaceGb === null ? null : Math.floor(disk.freeSpaceGb / step) }
}

function gigabytes(megabytes: unknown): number | null {
  const number = numberOf(megabytes)
  return number === null || number < 0 || number > 1e12 ? null : Math.round(number / 102.4) / 10
}

/** Agents under Linux tell of encryption only where there is some. */
function encryption({ encrypt_status }: Entry): 'Encrypted' | 'Unencrypted' | 'NotAvailable' {
  const status = told(encrypt_status)?.toLowerCase()
  if (status === 'yes') return 'Encrypted'
  return status === 'no' ? 'Unencrypted' : 'NotAvailable'
}
