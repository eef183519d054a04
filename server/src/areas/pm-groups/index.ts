import type { Area } from '../../platform/operation.ts'
import { addPmGroupPatches } from './add-pm-group-patches.ts'
import { assignPmGroup } from './assign-pm-group.ts'
import { createPmGroup } from './create-pm-group.ts'
import { deletePmGroup } from './delete-pm-group.ts'
import { getEmergencyPatching } from './get-emergency-patching.ts'
import { getPmGroup } from './get-pm-group.ts'
import { listPmGroupAssignments } from './list-pm-group-assignments.ts'
import { listPmGroupPatches } from './list-pm-group-patches.ts'
import { listPmGroups } from './list-pm-groups.ts'
import { removePmGroupAssignment } from './remove-pm-group-assignment.ts'
import { removePmGroupPatch } from './remove-pm-group-patch.ts'
import { searchPmGroupPatches } from './search-pm-group-patches.ts'
import { searchPmGroups } from './search-pm-groups.ts'
import { startEmergencyPatching } from './start-emergency-patching.ts'
import { stopEmergencyPatching } from './stop-emergency-patching.ts'
import { updatePmGroup } from './update-pm-group.ts'

export const pmGroups: Area = {
  name: 'Patch Management Groups',
  description: 'Which patches computers get: groups of patches, where they are assigned, and emergency patching.',
  operations: [
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
  ],
}
