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
