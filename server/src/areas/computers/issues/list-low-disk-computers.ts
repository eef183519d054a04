import { lowDisk } from '../../../domain/issues/low-disk.ts'
import { issueSweep } from './issue-sweep.ts'

export const listLowDiskComputers = issueSweep(lowDisk, {
  id: 'listLowDiskComputers',
  route: 'GET /api/computer/issues/low-disk',
  item: 'LowDiskComputer',
  summary: 'List computers with fixed drives that are nearly full',
})
