import { problem } from '../../../../platform/problem.ts'

export const duplicatePmGroupName = problem('DuplicateName', 409, 'Another patch management group has this name.', {
  constraint: 'pm_groups_name_key',
})

export const categoryMismatch = problem(
  'CategoryMismatch',
  409,
  'A group of the category ServicePack can contain only service packs, a group of the category Patch only other patches.',
)

export const patchNotInPmGroup = problem(
  'PatchNotInPmGroup',
  404,
  'The patch management group does not contain this patch.',
)

export const pmGroupNotAssigned = problem(
  'PmGroupNotAssigned',
  404,
  'The patch management group is not assigned to this group.',
)

export const emergencyGroup = problem(
  'EmergencyGroup',
  409,
  'The group was created for emergency patching. To remove its assignment, stop the emergency patching.',
)

export const noEmergencyPatching = problem(
  'NoEmergencyPatching',
  404,
  'This patch management group has no emergency patching.',
)
