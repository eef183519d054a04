import { ok, operation } from '../../../../platform/operation.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { collectionEntryNotFound, updateCollectionEntry } from '../../collections.ts'
import { variableNotFound } from '../../definitions.ts'
import { VariableCollectionEntry, VariableCollectionEntryPatchRequest } from '../definitions/schemas.ts'
import { listComputerCollection } from './list-computer-collection.ts'
import { ComputerCollectionEntryPath } from './schemas.ts'

export const updateComputerCollectionEntry = operation({
  id: 'updateComputerCollectionEntry',
  route: 'PATCH /api/computer/:id/variables/:varId/collection/:collectionId',
  summary: 'Update a collection entry of a computer',
  description:
    'Changes only the values in the request. Values of secret children can be written but are never returned.',
  role: 'computer.write',
  params: ComputerCollectionEntryPath,
  body: VariableCollectionEntryPatchRequest,
  returns: ok(VariableCollectionEntry),
  problems: [computerNotFound, variableNotFound, collectionEntryNotFound],
  shows: listComputerCollection,
  handle(call) {
    const { params, body } = call
    return updateCollectionEntry(
      call,
      { kind: 'computer', id: params.id },
      params.varId,
      params.collectionId,
      body.values,
    )
  },
})
