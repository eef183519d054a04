import { noContent, operation } from '../../../../platform/operation.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { collectionEntryNotFound, deleteCollectionEntry } from '../../collections.ts'
import { variableNotFound } from '../../definitions.ts'
import { ComputerCollectionEntryPath } from './schemas.ts'

export const deleteComputerCollectionEntry = operation({
  id: 'deleteComputerCollectionEntry',
  route: 'DELETE /api/computer/:id/variables/:varId/collection/:collectionId',
  summary: 'Delete a collection entry of a computer',
  description: 'Deletes the entry with all its values.',
  role: 'computer.write',
  params: ComputerCollectionEntryPath,
  returns: noContent,
  problems: [computerNotFound, variableNotFound, collectionEntryNotFound],
  handle: ({ params, db }) =>
    deleteCollectionEntry(db, { kind: 'computer', id: params.id }, params.varId, params.collectionId),
})
