import type { Database } from '../../database/connect.ts'
import { invalidPart } from '../../platform/validation.ts'
import { notEditableTree, parentNotFound, parentSpecialGroup, systemGroup } from './api/problems.ts'
import { isComputerTree, isSpecial, lockGroupTrees, requireGroup, specialGroup } from './groups.ts'

/** Moves the group with everything below it to another parent of its tree. */
export async function moveGroupBelow(db: Database, groupId: string, parentId: string) {
  await lockGroupTrees(db)
  const group = await requireGroup(db, groupId)
  if (group.kind === 'System') throw systemGroup({ groupId })
  if (!isComputerTree(group.tree)) throw notEditableTree({ groupId })
  if (isSpecial(group.kind)) throw specialGroup({ groupId })
  const parent = await db.selectFrom('groups').select(['tree', 'kind']).where('id', '=', parentId).executeTakeFirst()
  if (!parent) throw parentNotFound({ parentId })
  if (parent.tree !== group.tree) throw invalidPart('body', 'parentId', `must be a group of the tree ${group.tree}`)
  if (isSpecial(parent.kind)) throw parentSpecialGroup({ parentId })
  await db.updateTable('groups').set({ parent_id: parentId }).where('id', '=', groupId).execute()
}
