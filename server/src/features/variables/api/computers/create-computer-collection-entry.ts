import { ok, operation } from '../../../../platform/operation.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { createCollectionEntry } from '../../collections.ts'
import { variableNotFound } from '../../definitions.ts'
import { VariableCollectionEntry, VariableCollectionEntryRequest } from '../definitions/schemas.ts'
import { ComputerVariablePath } from './schemas.ts'

export const createComputerCollectionEntry = operation({
  id: 'createComputerCollectionEntry',
  route: 'POST /api/computer/:id/variables/:varId/collection',
  summary: 'Add a collection entry to a computer',
  description:
    'Children that are missing get their default; answers 400 if one without a default is missing. Values of secret children can be written but are never returned.',
  role: 'computer.write',
  params: ComputerVariablePath,
  body: VariableCollectionEntryRequest,
  returns: ok(VariableCollectionEntry),
  problems: [computerNotFound, variableNotFound],
  handle(call) {
    const { params, body } = call
    return createCollectionEntry(call, { kind: 'computer', id: params.id }, params.varId, body.values)
  },
})
