import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** The columns of a group under the names of the API. */
export const groupColumns = ['id', 'name', 'tree as assignedToTree', 'parent_id as parentId', 'description'] as const

/** Groups as the API shows them. */
export function groupRows(db: Database) {
  return db.selectFrom('groups').select(groupColumns)
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
