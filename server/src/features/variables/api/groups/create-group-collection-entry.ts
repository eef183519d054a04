import { ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { createCollectionEntry } from '../../collections.ts'
import { variableNotFound } from '../../definitions.ts'
import { VariableCollectionEntry, VariableCollectionEntryRequest } from '../definitions/schemas.ts'
import { GroupVariablePath } from './schemas.ts'

export const createGroupCollectionEntry = operation({
  id: 'createGroupCollectionEntry',
  route: 'POST /api/group/:id/variables/:varId/collection',
  summary: 'Add a collection entry to a group',
  description:
    'Children that are missing get their default; answers 400 if one without a default is missing. Values of secret children can be written but are never returned.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupVariablePath,
  body: VariableCollectionEntryRequest,
  returns: ok(VariableCollectionEntry),
  problems: [groupNotFound, variableNotFound],
  handle(call) {
    const { params, body } = call
    return createCollectionEntry(call, { kind: 'group', id: params.id }, params.varId, body.values)
  },
})
