import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { variableValues } from '../../variable-values.ts'
import { GroupVariableValue } from '../definitions/schemas.ts'

export const listGroupVariables = operation({
  id: 'listGroupVariables',
  route: 'GET /api/group/:id/variables',
  summary: 'List the variable values set on a group',
  description:
    'Lists only the values set on the group itself. For inherited values, use searchGroupVariables with `includeInherited`.',
  role: 'group.read',
  params: GroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(GroupVariableValue)),
  problems: [groupNotFound],
  async handle(call) {
    const { params, db } = call
    const owner: VariableOwner = { kind: 'group', id: params.id }
    await requireVariableOwner(db, owner)
    return pageOf(call, variableValues(db, owner), { columns: ['varId'] })
  },
})
