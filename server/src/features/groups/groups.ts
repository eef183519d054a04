import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'

export const groupNotFound = problem('GroupNotFound', 404, 'No group has this id.')

export const specialGroup = problem('SpecialGroup', 409, 'The group is a Reinstall, EOL or Restore group.')

export const isSpecial = (kind: string) => kind !== 'System' && kind !== 'Ordinary'

/** The groups of other trees hold users. */
export const isComputerTree = (tree: string) => tree === 'ConfigurationGroups' || tree === 'AssignmentGroups'

export async function requireGroup(db: Database, id: string) {
  const found = await groupWith(db, id).executeTakeFirst()
  if (!found) throw groupNotFound({ groupId: id })
  return found
}

/** For changes to what hangs on a group: it cannot be deleted before the transaction ends. */
export async function pinGroup(db: Database, id: string) {
  const found = await groupWith(db, id).forKeyShare().executeTakeFirst()
  if (!found) throw groupNotFound({ groupId: id })
  return found
}

/**
 * Until the transaction ends, no group is made, renamed, moved or deleted with its subtree by anybody else. To be called
 * before any row of a group is locked.
 */
export async function lockGroupTrees(db: Database): Promise<void> {
  await sql`select hold_group_trees()`.execute(db)
}

/**
 * Until the transaction ends, no group is renamed, moved or deleted with its subtree; others may make groups meanwhile.
 * To be called before any row of a group is locked.
 */
export async function lockGroupTreesShared(db: Database): Promise<void> {
  await sql`select share_group_trees()`.execute(db)
}

function groupWith(db: Database, id: string) {
  return db
    .selectFrom('groups')
    .select(['id', 'tree', 'parent_id', 'kind', 'name', 'is_exclusive'])
    .where('id', '=', id)
}
