import { issueSweep } from '../issue-sweep.ts'
import { lowDisk } from '../low-disk.ts'

export const listLowDiskComputers = issueSweep(lowDisk, {
  id: 'listLowDiskComputers',
  route: 'GET /api/computer/issues/low-disk',
  item: 'LowDiskComputer',
  summary: 'List computers with fixed drives that are nearly full',
})
