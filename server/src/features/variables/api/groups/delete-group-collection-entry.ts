import { noContent, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { collectionEntryNotFound, deleteCollectionEntry } from '../../collections.ts'
import { variableNotFound } from '../../definitions.ts'
import { GroupCollectionEntryPath } from './schemas.ts'

export const deleteGroupCollectionEntry = operation({
  id: 'deleteGroupCollectionEntry',
  route: 'DELETE /api/group/:id/variables/:varId/collection/:collectionId',
  summary: 'Delete a collection entry of a group',
  description: 'Deletes the entry with all its values.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupCollectionEntryPath,
  returns: noContent,
  problems: [groupNotFound, variableNotFound, collectionEntryNotFound],
  handle: ({ params, db }) =>
    deleteCollectionEntry(db, { kind: 'group', id: params.id }, params.varId, params.collectionId),
})
