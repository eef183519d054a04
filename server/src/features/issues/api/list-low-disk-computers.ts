import { issueSweep } from '../issue-sweep.ts'
import { lowDisk } from '../low-disk.ts'

export const listLowDiskComputers = issueSweep(lowDisk, {
  id: 'listLowDiskComputers',
  route: 'GET /api/computer/issues/low-disk',
  item: 'LowDiskComputer',
  summary: 'List computers with fixed drives that are nearly full',
  description:
    'Reports fixed drives with less than 10 % free space. `minFreePercent` and `minFreeGb` change the threshold; a drive ' +
    'below either of them is reported. Removable, optical and network drives do not count.',
})
