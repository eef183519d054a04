import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { groupNotFound, isSpecial, pinGroup } from '../groups.ts'
import { bulkResult, membersAmong } from '../membership.ts'
import { BulkGroupComputersResult, ComputerIds, GroupPath } from './schemas.ts'

export const removeGroupComputers = operation({
  id: 'removeGroupComputers',
  route: 'DELETE /api/group/:id/computers',
  summary: 'Remove computers from a group',
  description: 'A computer that is not in the group, or does not exist, counts as a success.',
  role: 'group.write',
  params: GroupPath,
  query: closed({ computerIds: ComputerIds }),
  returns: ok(BulkGroupComputersResult),
  problems: [groupNotFound],
  async handle({ params, query, db }) {
    const group = await pinGroup(db, params.id)
    const clientIds = [...new Set(query.computerIds)]
    if (isSpecial(group.kind)) {
      const members = await membersAmong(db, group.id, clientIds)
      return bulkResult(group.id, clientIds, (clientId) => (members.has(clientId) ? 'SpecialGroup' : 'NotMember'))
    }
    const removed = await db
      .deleteFrom('group_computers')
      .where('group_id', '=', group.id)
      .where('computer_id', 'in', clientIds)
      .returning('computer_id')
      .execute()
    const gone = new Set(removed.map(({ computer_id }) => computer_id))
    return bulkResult(group.id, clientIds, (clientId) => (gone.has(clientId) ? 'Removed' : 'NotMember'))
  },
})
