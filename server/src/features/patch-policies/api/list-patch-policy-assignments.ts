import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { policyAssignmentRows } from '../assignments.ts'
import { getPolicyRow } from '../policies.ts'
import { patchPolicyNotFound } from './problems.ts'
import { PatchPolicyAssignment, PatchPolicyPath } from './schemas.ts'

export const listPatchPolicyAssignments = operation({
  id: 'listPatchPolicyAssignments',
  route: 'GET /api/patch-policies/:id/assignments',
  summary: 'List the groups to which a patch policy is assigned',
  role: 'pm.read',
  params: PatchPolicyPath,
  query: closed(paging),
  returns: ok(pagedResultOf(PatchPolicyAssignment)),
  problems: [patchPolicyNotFound],
  extension: true,
  async handle(call) {
    const { params, db } = call
    await getPolicyRow(db, params.id)
    return pageOf(call, policyAssignmentRows(db, params.id), { columns: ['groupPath', 'groupId'] })
  },
})
