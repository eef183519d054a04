import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { groupAsOwner } from '../../assignments/effective-assignments.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../groups/groups.ts'
import { effectivePolicyRows } from '../assignments.ts'
import { EffectivePatchPolicy } from './schemas.ts'

export const listGroupPatchPolicies = operation({
  id: 'listGroupPatchPolicies',
  route: 'GET /api/group/:id/patch-policies',
  summary: 'List the patch policies of a group, in the order in which they decide',
  description: 'Returns the policies that are assigned to the group or to a group above it.',
  role: 'group.read',
  params: GroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(EffectivePatchPolicy)),
  problems: [groupNotFound],
  extension: true,
  async handle(call) {
    const { params, db } = call
    const page = await pageOf(call, effectivePolicyRows(db, 'group', groupAsOwner(params.id)), { columns: ['place'] })
    if (page.totalCount === 0) await requireGroup(db, params.id)
    return { ...page, items: page.items.map(({ place: _, ...policy }) => policy) }
  },
})
