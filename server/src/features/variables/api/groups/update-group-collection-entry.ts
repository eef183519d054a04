import { ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { collectionEntryNotFound, updateCollectionEntry } from '../../collections.ts'
import { variableNotFound } from '../../definitions.ts'
import { VariableCollectionEntry, VariableCollectionEntryPatchRequest } from '../definitions/schemas.ts'
import { listGroupCollection } from './list-group-collection.ts'
import { GroupCollectionEntryPath } from './schemas.ts'

export const updateGroupCollectionEntry = operation({
  id: 'updateGroupCollectionEntry',
  route: 'PATCH /api/group/:id/variables/:varId/collection/:collectionId',
  summary: 'Update a collection entry of a group',
  description:
    'Changes only the values in the request. Values of secret children can be written but are never returned.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupCollectionEntryPath,
  body: VariableCollectionEntryPatchRequest,
  returns: ok(VariableCollectionEntry),
  problems: [groupNotFound, variableNotFound, collectionEntryNotFound],
  shows: listGroupCollection,
  handle(call) {
    const { params, body } = call
    return updateCollectionEntry(call, { kind: 'group', id: params.id }, params.varId, params.collectionId, body.values)
  },
})
