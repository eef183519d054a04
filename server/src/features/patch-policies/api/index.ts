import type { AnyOperation } from '../../../platform/operation.ts'
import { assignPatchPolicy } from './assign-patch-policy.ts'
import { createPatchPolicy } from './create-patch-policy.ts'
import { deletePatchPolicy } from './delete-patch-policy.ts'
import { getPatchPolicy } from './get-patch-policy.ts'
import { listComputerPatchPolicies } from './list-computer-patch-policies.ts'
import { listComputerPatchRulings } from './list-computer-patch-rulings.ts'
import { listGroupPatchPolicies } from './list-group-patch-policies.ts'
import { listPatchPolicies } from './list-patch-policies.ts'
import { listPatchPolicyAssignments } from './list-patch-policy-assignments.ts'
import { rehearsePatchRules } from './rehearse-patch-rules.ts'
import { removePatchPolicyAssignment } from './remove-patch-policy-assignment.ts'
import { updatePatchPolicy } from './update-patch-policy.ts'

export const patchPoliciesApi: readonly AnyOperation[] = [
  listPatchPolicies,
  createPatchPolicy,
  rehearsePatchRules,
  getPatchPolicy,
  updatePatchPolicy,
  deletePatchPolicy,
  listPatchPolicyAssignments,
  assignPatchPolicy,
  removePatchPolicyAssignment,
  listGroupPatchPolicies,
  listComputerPatchPolicies,
  listComputerPatchRulings,
]
