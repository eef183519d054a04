import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'

export const groupNotFound = problem('GroupNotFound', 404, 'No group has this id.')

export const specialGroup = problem('SpecialGroup', 409, 'The group is a Reinstall, EOL or Restore group.')

/** Special groups (Reinstall, EOL, Restore) are managed by the server. The API changes neither them nor their members. */
export const isSpecial = (kind: string) => kind !== 'System' && kind !== 'Ordinary'

/** Only these trees have computers as members; the groups of other trees have users. */
export const isComputerTree = (tree: string) => tree === 'ConfigurationGroups' || tree === 'AssignmentGroups'

export async function requireGroup(db: Database, id: string) {
  const found = await groupWithId(db, id).executeTakeFirst()
  if (!found) throw groupNotFound({ groupId: id })
  return found
}

/** Keeps the group from being deleted until the transaction ends, for changes to what belongs to it. */
export async function pinGroup(db: Database, id: string) {
  const found = await groupWithId(db, id).forKeyShare().executeTakeFirst()
  if (!found) throw groupNotFound({ groupId: id })
  return found
}

/**
 * Waits for activations of computers below the group, and keeps them from reading what the group assigns until the
 * transaction ends. For changes that end a justification of work: otherwise an activation could create it meanwhile.
 */
export async function lockGroup(db: Database, id: string) {
  const found = await groupWithId(db, id).forUpdate().executeTakeFirst()
  if (!found) throw groupNotFound({ groupId: id })
  return found
}

/**
 * Blocks all other transactions that create, rename, move or delete a group, until this transaction ends. Call it
 * before locking any row of a group, otherwise transactions can deadlock.
 */
export async function lockGroupTrees(db: Database): Promise<void> {
  await sql`select lock_group_trees()`.execute(db)
}

/**
 * Blocks all other transactions that rename, move or delete a group, until this transaction ends. Others may still
 * create groups. Call it before locking any row of a group, otherwise transactions can deadlock.
 */
export async function lockGroupTreesShared(db: Database): Promise<void> {
  await sql`select lock_group_trees_shared()`.execute(db)
}

function groupWithId(db: Database, id: string) {
  return db
    .selectFrom('groups')
    .select(['id', 'tree', 'parent_id', 'kind', 'name', 'is_exclusive'])
    .where('id', '=', id)
}
