import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { groupsAssigningPackage } from '../packages/affected-computers.ts'
import { type AssignmentKind, assignmentTables } from './effective-assignments.ts'

/** The groups to which the object itself is assigned, as the API shows them. */
export function directlyAssignedGroups(db: Database, kind: AssignmentKind, objectId: number | string) {
  const { table, column } = assignmentTables[kind]
  return groupsIn(db, sql`select group_id from ${sql.table(table)} where ${sql.ref(column)} = ${objectId}`)
}

/** The groups to which the package or one of its parts is assigned, whatever its kind, as the API shows them. */
export function groupsWithPackage(db: Database, packageId: string) {
  return groupsIn(db, groupsAssigningPackage(packageId))
}

function groupsIn(db: Database, groupIds: RawBuilder<{ group_id: string }>) {
  return db
    .selectFrom('groups')
    .select(['id', 'name', 'tree as assignedToTree', 'parent_id as parentId', 'description'])
    .where(sql<boolean>`id in (${groupIds})`)
}
