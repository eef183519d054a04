import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { variableValues } from '../../variable-values.ts'
import { FoundGroupVariableValue, VariableValueSearchFilter } from '../definitions/schemas.ts'

export const searchGroupVariables = operation({
  id: 'searchGroupVariables',
  route: 'POST /api/group/:id/variables/search',
  summary: 'Search for variable values of a group',
  description:
    'Returns the values set on the group or, with `includeInherited`, its effective values. In the order of precedence, an effective value is: a value that the group or a group above it forces (the highest group wins); the value of the nearest group, starting with the group itself, where its own value comes before that of an assigned variable configuration; the default in the catalog. If `name` or `varId` is given, the variable is returned even if it has no value; a variable that does not exist or has no single value is not returned.',
  role: 'group.read',
  execution: { kind: 'Read' },
  params: GroupPath,
  query: closed(paging),
  body: VariableValueSearchFilter,
  returns: ok(pagedResultOf(FoundGroupVariableValue)),
  problems: [groupNotFound],
  async handle(call) {
    const { params, body, db } = call
    if (typeof body.name === 'string' && typeof body.varId === 'number')
      throw invalidPart('body', 'varId', 'cannot be combined with name')
    const owner: VariableOwner = { kind: 'group', id: params.id }
    await requireVariableOwner(db, owner)
    return pageOf(call, variableValues(db, owner, body), { columns: ['varId'] })
  },
})
