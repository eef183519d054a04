import { DiskDriveReport } from '../items.ts'
import { hardwareSection } from './section.ts'

export const disks = hardwareSection('disks', DiskDriveReport, 'disk_drives', (disk) => ({
  volume: disk.volume,
  drive_type_code: disk.driveTypeCode,
  total_space_gb: megabytesExact(disk.totalSpaceGb),
  free_space_gb: megabytesExact(disk.freeSpaceGb),
  label: disk.label,
  bitlocker_status: disk.bitlockerStatus,
  bitlocker_key_protectors: disk.bitlockerKeyProtectors,
}))

/** Nobody needs more digits, and the quotient of two such numbers is never too large to be stored. */
function megabytesExact(gigabytes: number | null): number | null {
  return gigabytes === null ? null : Math.round(gigabytes * 1000) / 1000
}
