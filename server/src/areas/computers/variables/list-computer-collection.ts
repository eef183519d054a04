import { computerNotFound } from '../../../domain/computers/computer-rows.ts'
import { collectionEntries } from '../../../domain/variables/collections.ts'
import { requireCollection, variableNotFound } from '../../../domain/variables/definitions.ts'
import { requireOwner, type VariableOwner } from '../../../domain/variables/owner.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { VariableCollectionEntry } from '../../variable-definitions/schemas.ts'
import { ComputerVariablePath } from './schemas.ts'

export const listComputerCollection = operation({
  id: 'listComputerCollection',
  route: 'GET /api/computer/:id/variables/:varId/collection',
  summary: 'List the entries that a computer itself has in a collection',
  role: 'computer.read',
  params: ComputerVariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableCollectionEntry)),
  problems: [computerNotFound, variableNotFound],
  async handle(call) {
    const { params, db } = call
    const owner: VariableOwner = { kind: 'computer', id: params.id }
    await requireOwner(db, owner)
    await requireCollection(db, params.varId)
    return pageOf(call, collectionEntries(db, owner, params.varId), { columns: ['collectionId'] })
  },
})
