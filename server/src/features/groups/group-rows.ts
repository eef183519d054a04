import type { Database } from '../../database/connect.ts'

/** The columns of `groups`, under the property names of the API. */
export const groupColumns = ['id', 'name', 'tree as assignedToTree', 'parent_id as parentId', 'description'] as const

/** Groups with the properties of the API. */
export function groupRows(db: Database) {
  return db.selectFrom('groups').select(groupColumns)
}
