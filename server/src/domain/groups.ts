import type { Database } from '../database/connect.ts'
import { problem } from '../platform/problem.ts'

export const groupNotFound = problem('GroupNotFound', 404, 'No group has this id.')

export const specialGroup = problem('SpecialGroup', 409, 'The group is a Reinstall, EOL or Restore group.')

export const isSpecial = (kind: string) => kind !== 'System' && kind !== 'Ordinary'

export async function requireGroup(db: Database, id: string) {
  const found = await db
    .selectFrom('groups')
    .select(['id', 'tree', 'parent_id', 'kind', 'name', 'is_exclusive'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw groupNotFound({ groupId: id })
  return found
}
