import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type AssignmentKind, assignmentTables, effectiveAssignments } from './effective-assignments.ts'

type Single = 'agentTemplate' | 'osImageSku' | 'pxeBootImage'

/**
 * Writes an assignment, in the place of another one where a group can have one only. False when it was there before:
 * then nothing changes.
 */
export async function assign(
  db: Database,
  kind: AssignmentKind,
  groupId: string,
  objectId: number | string,
): Promise<boolean> {
  const { table, column, single } = assignmentTables[kind]
  const object = sql.ref(column)
  const conflict = single
    ? sql`(group_id) do update set ${object} = excluded.${object}, assigned_at = excluded.assigned_at
        where assigned.${object} <> excluded.${object}`
    : sql`do nothing`
  const { rows } = await sql`
    insert into ${sql.table(table)} as assigned (group_id, ${object}) values (${groupId}, ${objectId})
    on conflict ${conflict} returning group_id`.execute(db)
  return rows.length > 0
}

/** Takes away exactly this assignment. False when there is none. */
export async function unassign(
  db: Database,
  kind: AssignmentKind,
  groupId: string,
  objectId: number | string,
): Promise<boolean> {
  const { table, column } = assignmentTables[kind]
  const { rows } = await sql`
    delete from ${sql.table(table)} where group_id = ${groupId} and ${sql.ref(column)} = ${objectId}
    returning group_id`.execute(db)
  return rows.length > 0
}

/** The assignment of an object of which a group has one at most, and how that is answered. */
export async function assignSingle(
  db: Database,
  kind: Single,
  groupId: string,
  objectId: number | string,
  skipIfInherited: boolean | undefined,
) {
  const inheritedFromGroupId = skipIfInherited ? await giverOf(db, kind, groupId, objectId) : null
  if (inheritedFromGroupId !== null)
    return { status: 200, outcome: { alreadyAssigned: false, alreadyEffective: true, inheritedFromGroupId } }
  const isNew = await assign(db, kind, groupId, objectId)
  return {
    status: isNew ? 201 : 200,
    outcome: { alreadyAssigned: !isNew, alreadyEffective: false, inheritedFromGroupId },
  }
}

/** The group above from which the group has the object. A direct assignment hides what comes from above. */
async function giverOf(db: Database, kind: Single, groupId: string, objectId: number | string): Promise<string | null> {
  const effective = effectiveAssignments(kind, 'group', sql`select ${groupId}::uuid as owner_id`)
  const { rows } = await sql<{ group_id: string }>`
    select group_id from (${effective}) as effective where object_id = ${objectId} and distance > 0`.execute(db)
  return rows[0]?.group_id ?? null
}
