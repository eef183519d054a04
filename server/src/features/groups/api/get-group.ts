import { ok, operation } from '../../../platform/operation.ts'
import { groupRows } from '../group-rows.ts'
import { groupNotFound } from '../groups.ts'
import { Group, GroupPath } from './schemas.ts'

export const getGroup = operation({
  id: 'getGroup',
  route: 'GET /api/group/:id',
  summary: 'Get a group',
  role: 'group.read',
  params: GroupPath,
  returns: ok(Group),
  problems: [groupNotFound],
  async handle({ params, db }) {
    const found = await groupRows(db).where('id', '=', params.id).executeTakeFirst()
    if (!found) throw groupNotFound({ groupId: params.id })
    return found
  },
})
