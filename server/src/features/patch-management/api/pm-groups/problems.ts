import { problem } from '../../../../platform/problem.ts'

export const duplicatePmGroupName = problem('DuplicateName', 409, 'Another patch management group has this name.', {
  constraint: 'pm_groups_name_key',
})

export const categoryMismatch = problem(
  'CategoryMismatch',
  409,
  'A group of category ServicePack takes service packs only, a group of category Patch all other patches.',
)

export const patchNotInPmGroup = problem(
  'PatchNotInPmGroup',
  404,
  'The patch management group does not have this patch.',
)

export const pmGroupNotAssigned = problem(
  'PmGroupNotAssigned',
  404,
  'The patch management group is not assigned to this group.',
)

export const emergencyGroup = problem(
  'EmergencyGroup',
  409,
  'The group was made for emergency patching: its assignment ends with the emergency.',
)

export const noEmergencyPatching = problem(
  'NoEmergencyPatching',
  404,
  'There is no emergency patching of this patch management group.',
)
