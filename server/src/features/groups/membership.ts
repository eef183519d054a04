import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Static } from '../../platform/schema.ts'
import type { BulkGroupComputersResult, membershipStatuses } from './api/schemas.ts'

export type MembershipStatus = (typeof membershipStatuses)[number]

const meanings: Record<MembershipStatus, { success: boolean; message: string }> = {
  Added: { success: true, message: 'The computer was added to the group.' },
  AlreadyMember: { success: true, message: 'The computer was in the group before.' },
  AlreadyInConfigurationGroup: { success: false, message: 'The computer is in another configuration group.' },
  NotFound: { success: false, message: 'No computer has this id.' },
  SpecialGroup: {
    success: false,
    message: 'The members of a Reinstall, EOL or Restore group are not changed over the API.',
  },
  NotEditableTree: { success: false, message: 'The groups of this tree hold no computers.' },
  Removed: { success: true, message: 'The computer was removed from the group.' },
  NotMember: { success: true, message: 'The computer was not in the group.' },
}

/** What a change of members did, computer by computer, in the order of the request. */
export function bulkResult(
  groupId: string,
  clientIds: Iterable<number>,
  statusOf: (clientId: number) => MembershipStatus,
): Static<typeof BulkGroupComputersResult> {
  const results = Array.from(clientIds, (clientId) => {
    const status = statusOf(clientId)
    return { clientId, status, ...meanings[status] }
  })
  const succeeded = results.filter(({ success }) => success).length
  return { groupId, succeeded, failed: results.length - succeeded, results }
}

/** Those of the computers that are in the group. */
export async function membersAmong(db: Database, groupId: string, clientIds: number[]): Promise<Set<number>> {
  const members = await db
    .selectFrom('group_computers')
    .select('computer_id')
    .where('group_id', '=', groupId)
    .where('computer_id', '=', sql<number>`any(${clientIds}::integer[])`)
    .execute()
  return new Set(members.map(({ computer_id }) => computer_id))
}
