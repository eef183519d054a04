import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type AssignmentKind, assignmentTables } from './effective-assignments.ts'

/** The groups to which the object itself is assigned, as the API shows them. */
export function directGroups(db: Database, kind: AssignmentKind, objectId: number | string) {
  const { table, column } = assignmentTables[kind]
  return db
    .selectFrom('groups')
    .select(['id', 'name', 'tree as assignedToTree', 'parent_id as parentId', 'description'])
    .where(sql<boolean>`id in (select group_id from ${sql.table(table)} where ${sql.ref(column)} = ${objectId})`)
}
