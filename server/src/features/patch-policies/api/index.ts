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
import { listPatchPolicyProgress } from './list-patch-policy-progress.ts'
import { listPatchRollbacks } from './list-patch-rollbacks.ts'
import { pausePatchOfPolicy } from './pause-patch-of-policy.ts'
import { rehearsePatchRules } from './rehearse-patch-rules.ts'
import { removePatchPolicyAssignment } from './remove-patch-policy-assignment.ts'
import { resumePatchOfPolicy } from './resume-patch-of-policy.ts'
import { stopPatchOfPolicy } from './stop-patch-of-policy.ts'
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
  listPatchPolicyProgress,
  pausePatchOfPolicy,
  resumePatchOfPolicy,
  stopPatchOfPolicy,
  listPatchRollbacks,
  listGroupPatchPolicies,
  listComputerPatchPolicies,
  listComputerPatchRulings,
]
