import { ok, operation } from '../../../platform/operation.ts'
import { getPolicyRow } from '../policies.ts'
import { patchPolicyNotFound } from './problems.ts'
import { PatchPolicy, PatchPolicyPath } from './schemas.ts'

export const getPatchPolicy = operation({
  id: 'getPatchPolicy',
  route: 'GET /api/patch-policies/:id',
  summary: 'Get a patch policy with its rules',
  role: 'pm.read',
  params: PatchPolicyPath,
  returns: ok(PatchPolicy),
  problems: [patchPolicyNotFound],
  unversioned: ['assignmentCount'],
  extension: true,
  handle: ({ params, db }) => getPolicyRow(db, params.id),
})
