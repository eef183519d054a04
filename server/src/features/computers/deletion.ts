import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type DeletedComputer = { id: number; role: string }

/**
 * Locks computers for their deletion. Everybody who locks a row that belongs to a computer has pinned the computer before, so a
 * deletion waits here and not in the middle of its cascade. The locks also block new memberships, which refer to the rows.
 * Returns those that exist.
 */
export async function lockForDeletion(db: Database, ids: readonly number[]): Promise<DeletedComputer[]> {
  // The groups of their reinstalls are deleted with them, and a deletion of a group above them does the same.
  await sql`select lock_group_trees_shared()`.execute(db)
  await sql`
    select from fusion_devices where computer_id = any(${ids}::integer[]) order by id for update`.execute(db)
  const { rows } = await sql<DeletedComputer>`
    select id, role from computers where id = any(${ids}::integer[]) order by id for update`.execute(db)
  return rows
}

/** The computers of a list that can be deleted: the master server cannot. */
export function deletableComputers(ids: readonly number[]): RawBuilder<{ computer_id: number }> {
  return sql`
    select id as computer_id from computers where id = any(${ids}::integer[]) and role <> 'MasterServer'`
}

/** Deletes computers that the caller has locked, and the reinstall groups that nobody is left in. */
export async function deleteLockedComputers(db: Database, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct groups.id
    from groups join group_computers member on member.group_id = groups.id
    where groups.kind = 'Reinstall' and member.computer_id = any(${ids}::integer[])`.execute(db)
  await sql`delete from computers where id = any(${ids}::integer[])`.execute(db)
  await deleteEmptyGroups(
    db,
    rows.map((group) => group.id),
  )
}

/** The locks serialise computers that leave the same group at the same time. Without them, neither might find it empty. */
async function deleteEmptyGroups(db: Database, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return
  await sql`select from groups where id = any(${groupIds}::uuid[]) order by id for update`.execute(db)
  await sql`
    delete from groups where id = any(${groupIds}::uuid[])
      and not exists (select from group_computers where group_id = groups.id)`.execute(db)
}
