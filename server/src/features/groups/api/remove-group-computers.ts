import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { listedComputers } from '../affected-computers.ts'
import { groupNotFound, isSpecial, pinGroup } from '../groups.ts'
import { buildBulkResult, membersAmong } from '../membership.ts'
import { BulkGroupComputersResult, ComputerIds, GroupPath } from './schemas.ts'

export const removeGroupComputers = operation({
  id: 'removeGroupComputers',
  route: 'DELETE /api/group/:id/computers',
  summary: 'Remove computers from a group',
  description:
    'Each computer is handled on its own; see `results`. Removing a computer that is not in the group or does not exist succeeds. Members of a Reinstall, EOL or Restore group are not removed.',
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
    const removedIds = await removeMembers(db, group.id, clientIds)
    return buildBulkResult(group.id, clientIds, (clientId) => (removedIds.has(clientId) ? 'Removed' : 'NotMember'))
  },
})

/** Returns those of the computers that were members. Locks the memberships in the order of the computers. */
async function removeMembers(db: Database, groupId: string, clientIds: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ computer_id: number }>`
    with member as materialized (
      select computer_id from group_computers where group_id = ${groupId} and computer_id = any(${clientIds}::integer[])
      order by computer_id for update
    )
    delete from group_computers using member
    where group_id = ${groupId} and group_computers.computer_id = member.computer_id
    returning group_computers.computer_id`.execute(db)
  return new Set(rows.map(({ computer_id }) => computer_id))
}
