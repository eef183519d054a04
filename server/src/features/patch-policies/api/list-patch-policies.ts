import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { policyRows, toPolicyAnswer } from '../policies.ts'
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
  async handle(call) {
    const { nameContains } = call.query
    let policies = policyRows(call.db)
    if (nameContains) policies = policies.where('patch_policies.name', 'ilike', containing(nameContains))
    const page = await pageOf(call, policies, { columns: ['priority', 'id'] })
    return { ...page, items: page.items.map(toPolicyAnswer) }
  },
})
