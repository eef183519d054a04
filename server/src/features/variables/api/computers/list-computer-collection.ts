import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { collectionEntries } from '../../collections.ts'
import { requireCollection, variableNotFound } from '../../definitions.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { VariableCollectionEntry } from '../definitions/schemas.ts'
import { ComputerVariablePath } from './schemas.ts'

export const listComputerCollection = operation({
  id: 'listComputerCollection',
  route: 'GET /api/computer/:id/variables/:varId/collection',
  summary: 'List the collection entries of a computer',
  description: 'Lists only the entries set on the computer itself. Answers 400 if the variable is not a collection.',
  role: 'computer.read',
  params: ComputerVariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableCollectionEntry)),
  problems: [computerNotFound, variableNotFound],
  async handle(call) {
    const { params, db } = call
    const owner: VariableOwner = { kind: 'computer', id: params.id }
    await requireVariableOwner(db, owner)
    await requireCollection(db, params.varId)
    return pageOf(call, collectionEntries(db, owner, params.varId), { columns: ['collectionId'] })
  },
})
