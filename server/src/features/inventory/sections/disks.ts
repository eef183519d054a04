import { DiskDriveReport } from '../items.ts'
import { hardwareSection } from './section.ts'

export const disksSection = hardwareSection('disks', DiskDriveReport, 'disk_drives', (disk) => ({
  volume: disk.volume,
  drive_type_code: disk.driveTypeCode,
  total_space_gb: roundToMegabytes(disk.totalSpaceGb),
  free_space_gb: roundToMegabytes(disk.freeSpaceGb),
  label: disk.label,
  bitlocker_status: disk.bitlockerStatus,
  bitlocker_key_protectors: disk.bitlockerKeyProtectors,
}))

/** Rounds to megabytes. Nobody needs more digits, and the quotient of two rounded sizes always fits its column. */
function roundToMegabytes(gigabytes: number | null): number | null {
  return gigabytes === null ? null : Math.round(gigabytes * 1000) / 1000
}
