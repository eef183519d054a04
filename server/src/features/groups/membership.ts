import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Static } from '../../platform/schema.ts'
import type { BulkGroupComputersResult, membershipStatuses } from './api/schemas.ts'

export type MembershipStatus = (typeof membershipStatuses)[number]

const statusDetails: Record<MembershipStatus, { success: boolean; message: string }> = {
  Added: { success: true, message: 'The computer was added to the group.' },
  AlreadyMember: { success: true, message: 'The computer was already in the group.' },
  AlreadyInConfigurationGroup: { success: false, message: 'The computer is in another configuration group.' },
  NotFound: { success: false, message: 'No computer has this id.' },
  SpecialGroup: {
    success: false,
    message: 'The members of a Reinstall, EOL or Restore group cannot be changed over the API.',
  },
  NotEditableTree: { success: false, message: 'The groups of this tree cannot have computers.' },
  Removed: { success: true, message: 'The computer was removed from the group.' },
  NotMember: { success: true, message: 'The computer was not in the group.' },
}

/** Builds the answer to a change of members: one result per computer, in the order of the request. */
export function buildBulkResult(
  groupId: string,
  clientIds: Iterable<number>,
  statusOf: (clientId: number) => MembershipStatus,
): Static<typeof BulkGroupComputersResult> {
  const results = Array.from(clientIds, (clientId) => {
    const status = statusOf(clientId)
    return { clientId, status, ...statusDetails[status] }
  })
  const succeeded = results.filter(({ success }) => success).length
  return { groupId, succeeded, failed: results.length - succeeded, results }
}

/** Returns those of the computers that are direct members of the group. */
export async function membersAmong(db: Database, groupId: string, clientIds: number[]): Promise<Set<number>> {
  const members = await db
    .selectFrom('group_computers')
    .select('computer_id')
    .where('group_id', '=', groupId)
    .where('computer_id', '=', sql<number>`any(${clientIds}::integer[])`)
    .execute()
  return new Set(members.map(({ computer_id }) => computer_id))
}
