import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { collectionEntries } from '../../collections.ts'
import { requireCollection, variableNotFound } from '../../definitions.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { VariableCollectionEntry } from '../definitions/schemas.ts'
import { GroupVariablePath } from './schemas.ts'

export const listGroupCollection = operation({
  id: 'listGroupCollection',
  route: 'GET /api/group/:id/variables/:varId/collection',
  summary: 'List the collection entries of a group',
  description: 'Lists only the entries set on the group itself. Answers 400 if the variable is not a collection.',
  role: 'group.read',
  params: GroupVariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableCollectionEntry)),
  problems: [groupNotFound, variableNotFound],
  async handle(call) {
    const { params, db } = call
    const owner: VariableOwner = { kind: 'group', id: params.id }
    await requireVariableOwner(db, owner)
    await requireCollection(db, params.varId)
    return pageOf(call, collectionEntries(db, owner, params.varId), { columns: ['collectionId'] })
  },
})
