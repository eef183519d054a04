import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { listedComputers } from '../affected-computers.ts'
import { groupNotFound, isSpecial, pinGroup } from '../groups.ts'
import { buildBulkResult, membersAmong } from '../membership.ts'
import { removeMembers } from '../remove-members.ts'
import { BulkGroupComputersResult, ComputerIds, GroupPath } from './schemas.ts'

export const removeGroupComputers = operation({
  id: 'removeGroupComputers',
  route: 'DELETE /api/group/:id/computers',
  summary: 'Remove computers from a group',
  description:
    'Each computer is handled on its own; see `results`. Removing a computer that is not in the group or does not exist succeeds. The rule of the group, if it has one, does not add removed computers again. What a computer was activated for through the group ends: open work that no other group justifies is cancelled, and an operating system is not installed any more. Members of a Reinstall, EOL or Restore group are not removed.',
  role: 'group.write',
  massAction: { computers: ({ query }) => listedComputers(query.computerIds) },
  params: GroupPath,
  query: closed({ computerIds: ComputerIds }),
  returns: ok(BulkGroupComputersResult),
  problems: [groupNotFound],
  async handle({ params, query, db }) {
    const group = await pinGroup(db, params.id)
    const clientIds = [...new Set(query.computerIds)]
    if (isSpecial(group.kind)) {
      const members = await membersAmong(db, group.id, clientIds)
      return buildBulkResult(group.id, clientIds, (clientId) => (members.has(clientId) ? 'SpecialGroup' : 'NotMember'))
    }
    const removedIds = await removeMembers(db, group, clientIds)
    return buildBulkResult(group.id, clientIds, (clientId) => (removedIds.has(clientId) ? 'Removed' : 'NotMember'))
  },
})
