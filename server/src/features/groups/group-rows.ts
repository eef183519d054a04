import type { Database } from '../../database/connect.ts'

/** The columns of a group under the names of the API. */
export const groupColumns = ['id', 'name', 'tree as assignedToTree', 'parent_id as parentId', 'description'] as const

/** Groups as the API shows them. */
export function groupRows(db: Database) {
  return db.selectFrom('groups').select(groupColumns)
}
