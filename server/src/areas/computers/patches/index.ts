import type { AnyOperation } from '../../../platform/operation.ts'
import { getComputerPatchStatus } from './get-computer-patch-status.ts'
import { listComputerPmGroups } from './list-computer-pm-groups.ts'
import { listPatchStatusDevices } from './list-patch-status-devices.ts'
import { searchComputerPatches } from './search-computer-patches.ts'

export const computerPatches: readonly AnyOperation[] = [
  listPatchStatusDevices,
  getComputerPatchStatus,
  searchComputerPatches,
  listComputerPmGroups,
]
