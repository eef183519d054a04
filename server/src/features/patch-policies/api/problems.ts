import { problem } from '../../../platform/problem.ts'

export const patchPolicyNotFound = problem('PatchPolicyNotFound', 404, 'No patch policy has this id.')

export const duplicatePatchPolicyName = problem('DuplicateName', 409, 'Another patch policy has this name.', {
  constraint: 'patch_policies_name_key',
})

export const patchPolicyNotAssigned = problem(
  'PatchPolicyNotAssigned',
  404,
  'The patch policy is not assigned to this group.',
)

export const patchNotOfPolicy = problem(
  'PatchNotOfPolicy',
  404,
  'No rule of the patch policy approves this patch for the product version, or leaves it to a person.',
)

export const patchPausedBefore = problem('PatchPaused', 409, 'The patch is paused already.')

export const patchStoppedBefore = problem('PatchStopped', 409, 'The patch is stopped. Resume it first.')

export const patchNotPaused = problem('PatchNotPaused', 409, 'The patch is neither paused nor stopped.')

export const patchApprovedByPerson = problem(
  'PatchApprovedByPerson',
  409,
  'A person has approved the patch, which releases it whether it is paused or not. Stop it, or revoke the approval.',
)
