import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { policyRows } from '../policies.ts'
import { PatchPolicy } from './schemas.ts'

export const listPatchPolicies = operation({
  id: 'listPatchPolicies',
  route: 'GET /api/patch-policies',
  summary: 'List patch policies, those that decide first at the beginning',
  role: 'pm.read',
  query: closed({
    ...paging,
    nameContains: Type.Optional(text(255, 'Work', 'Only policies whose name contains this text')),
  }),
  returns: ok(pagedResultOf(PatchPolicy)),
  extension: true,
  handle(call) {
    const { nameContains } = call.query
    let policies = policyRows(call.db)
    if (nameContains) policies = policies.where('patch_policies.name', 'ilike', containing(nameContains))
    return pageOf(call, policies, { columns: ['priority', 'id'] })
  },
})
