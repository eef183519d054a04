import { groupNotFound } from '../../../domain/groups.ts'
import { createCollectionEntry } from '../../../domain/variables/collections.ts'
import { variableNotFound } from '../../../domain/variables/definitions.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { VariableCollectionEntry, VariableCollectionEntryRequest } from '../../variable-definitions/schemas.ts'
import { GroupVariablePath } from './schemas.ts'

export const createGroupCollectionEntry = operation({
  id: 'createGroupCollectionEntry',
  route: 'POST /api/group/:id/variables/:varId/collection',
  summary: 'Add an entry to a collection of a group',
  role: 'group.write',
  params: GroupVariablePath,
  body: VariableCollectionEntryRequest,
  returns: ok(VariableCollectionEntry),
  problems: [groupNotFound, variableNotFound],
  handle(call) {
    const { params, body } = call
    return createCollectionEntry(call, { kind: 'group', id: params.id }, params.varId, body.values)
  },
})
