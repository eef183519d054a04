import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { computersBelow } from '../groups/affected-computers.ts'
import { lockGroup } from '../groups/groups.ts'
import type { WorkScope } from '../work-states/justified-work.ts'
import { withdrawUnjustifiedWork } from '../work-states/withdraw-work.ts'
import { type AssignmentKind, assignmentTables, effectiveAssignments, groupAsOwner } from './effective-assignments.ts'

type SingleAssignmentKind = 'agentTemplate' | 'osImageSku' | 'pxeBootImage'

/**
 * Assigns an object to a group. If the group can have only one object of the kind, the object replaces the current one.
 * Returns false, without a change, if the object was assigned already.
 */
export async function assignToGroup(
  db: Database,
  kind: AssignmentKind,
  groupId: string,
  objectId: number | string,
): Promise<boolean> {
  const { table, column, single } = assignmentTables[kind]
  const object = sql.ref(column)
  const conflict = single
    ? sql`(group_id) do update set ${object} = excluded.${object}, assigned_at = excluded.assigned_at
        where assignment.${object} <> excluded.${object}`
    : sql`do nothing`
  const { rows } = await sql`
    insert into ${sql.table(table)} as assignment (group_id, ${object}) values (${groupId}, ${objectId})
    on conflict ${conflict} returning group_id`.execute(db)
  return rows.length > 0
}

/**
 * Removes the assignment of exactly this object, and cancels the work that nothing else justifies. Returns false if the
 * group has no such assignment.
 */
export async function unassignFromGroup(
  db: Database,
  kind: AssignmentKind,
  groupId: string,
  objectId: number | string,
): Promise<boolean> {
  const { table, column } = assignmentTables[kind]
  const group = await lockGroup(db, groupId)
  const { rows } = await sql`
    delete from ${sql.table(table)} where group_id = ${groupId} and ${sql.ref(column)} = ${objectId}
    returning group_id`.execute(db)
  if (rows.length > 0 && kind !== 'agentTemplate') await withdrawUnassigned(db, group, packagesOf(kind, objectId))
  return rows.length > 0
}

/** Cancels the work below a group that has lost an assignment, of these packages or of any. */
export async function withdrawUnassigned(
  db: Database,
  { id, name }: { id: string; name: string },
  packages?: WorkScope['packages'],
): Promise<void> {
  const computers = computersBelow(sql`select ${id}::uuid as group_id`)
  await withdrawUnjustifiedWork(
    db,
    { computers, ...(packages && { packages }) },
    { reason: 'Unassigned', subject: name },
  )
}

/** The packages that an assignment of the object brings; undefined if other assignments decide which. */
function packagesOf(kind: AssignmentKind, objectId: number | string): WorkScope['packages'] {
  if (kind === 'package' || kind === 'languagePack') return sql`select ${objectId}::uuid as package_id`
  if (kind === 'softwareClass') return sql`select package_id from software_class_packages where class_id = ${objectId}`
  return undefined
}

/**
 * Assigns an object of a kind of which a group can have only one. With `skipIfInherited` it stores nothing if the group
 * already inherits the same object. Returns the HTTP status and the part of the answer that all these kinds share.
 */
export async function assignSingleToGroup(
  db: Database,
  kind: SingleAssignmentKind,
  groupId: string,
  objectId: number | string,
  skipIfInherited: boolean | undefined,
) {
  const inheritedFromGroupId = skipIfInherited ? await findAssigningAncestor(db, kind, groupId, objectId) : null
  if (inheritedFromGroupId !== null)
    return { status: 200, outcome: { alreadyAssigned: false, alreadyEffective: true, inheritedFromGroupId } }
  const isNew = await assignToGroup(db, kind, groupId, objectId)
  // The object may have replaced another one.
  if (isNew && kind !== 'agentTemplate') await withdrawUnassigned(db, await lockGroup(db, groupId))
  return {
    status: isNew ? 201 : 200,
    outcome: { alreadyAssigned: !isNew, alreadyEffective: false, inheritedFromGroupId },
  }
}

/** The ancestor from which the group inherits the object. A direct assignment hides what the group would inherit. */
async function findAssigningAncestor(
  db: Database,
  kind: SingleAssignmentKind,
  groupId: string,
  objectId: number | string,
): Promise<string | null> {
  const effective = effectiveAssignments(kind, 'group', groupAsOwner(groupId))
  const { rows } = await sql<{ group_id: string }>`
    select group_id from (${effective}) as effective where object_id = ${objectId} and distance > 0`.execute(db)
  return rows[0]?.group_id ?? null
}
