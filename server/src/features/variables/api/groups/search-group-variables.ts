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
  summary: 'Find values that are set on a group or hold for it',
  description:
    'A value that the group or one above it forces comes first, the highest such group winning; then the nearest group, beginning with the group itself, where a value comes before an assigned variable configuration; then the default of the catalog. A variable that is named is found also when it has no value; one that is unknown, or that has no single value, is not.',
  role: 'group.read',
  readonly: true,
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
