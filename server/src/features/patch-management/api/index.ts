import type { AnyOperation } from '../../../platform/operation.ts'
import { approvePatch } from './approval/approve-patch.ts'
import { approvePatches } from './approval/approve-patches.ts'
import { revokePatchApproval } from './approval/revoke-patch-approval.ts'
import { revokePatches } from './approval/revoke-patches.ts'
import { getComputerPatchStatus } from './computer-patches/get-computer-patch-status.ts'
import { listComputerPmGroups } from './computer-patches/list-computer-pm-groups.ts'
import { listPatchStatusDevices } from './computer-patches/list-patch-status-devices.ts'
import { searchComputerPatches } from './computer-patches/search-computer-patches.ts'
import { addPmGroupPatches } from './pm-groups/add-pm-group-patches.ts'
import { assignPmGroup } from './pm-groups/assign-pm-group.ts'
import { createPmGroup } from './pm-groups/create-pm-group.ts'
import { deletePmGroup } from './pm-groups/delete-pm-group.ts'
import { getEmergencyPatching } from './pm-groups/get-emergency-patching.ts'
import { getPmGroup } from './pm-groups/get-pm-group.ts'
import { listPatchPmGroups } from './pm-groups/list-patch-pm-groups.ts'
import { listPmGroupAssignments } from './pm-groups/list-pm-group-assignments.ts'
import { listPmGroupPatches } from './pm-groups/list-pm-group-patches.ts'
import { listPmGroups } from './pm-groups/list-pm-groups.ts'
import { removePmGroupAssignment } from './pm-groups/remove-pm-group-assignment.ts'
import { removePmGroupPatch } from './pm-groups/remove-pm-group-patch.ts'
import { searchPmGroupPatches } from './pm-groups/search-pm-group-patches.ts'
import { searchPmGroups } from './pm-groups/search-pm-groups.ts'
import { startEmergencyPatching } from './pm-groups/start-emergency-patching.ts'
import { stopEmergencyPatching } from './pm-groups/stop-emergency-patching.ts'
import { updatePmGroup } from './pm-groups/update-pm-group.ts'

export const patchManagementApi: readonly AnyOperation[] = [
  listPatchStatusDevices,
  getComputerPatchStatus,
  searchComputerPatches,
  listComputerPmGroups,
  listPatchPmGroups,
  approvePatch,
  revokePatchApproval,
  approvePatches,
  revokePatches,
  listPmGroups,
  searchPmGroups,
  createPmGroup,
  getPmGroup,
  updatePmGroup,
  deletePmGroup,
  listPmGroupPatches,
  searchPmGroupPatches,
  addPmGroupPatches,
  removePmGroupPatch,
  listPmGroupAssignments,
  assignPmGroup,
  removePmGroupAssignment,
  getEmergencyPatching,
  startEmergencyPatching,
  stopEmergencyPatching,
]
