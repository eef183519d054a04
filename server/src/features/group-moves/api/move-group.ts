import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { affectsGroup, computersBelow } from '../../groups/affected-computers.ts'
import {
  duplicateGroupName,
  groupBelowItself,
  notEditableTree,
  parentNotFound,
  parentSpecialGroup,
  systemGroup,
} from '../../groups/api/problems.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupResource } from '../../groups/group-resource.ts'
import {
  groupNotFound,
  isComputerTree,
  isSpecial,
  lockGroup,
  lockGroupTrees,
  requireGroup,
  specialGroup,
} from '../../groups/groups.ts'
import { withdrawUnjustifiedWork } from '../../work-states/withdraw-work.ts'
import { compareInheritance, getInheritance } from '../inheritance.ts'
import { MovedGroup, MoveGroupRequest } from './schemas.ts'

export const moveGroup = operation({
  id: 'moveGroup',
  route: 'PUT /api/group/:id/parent',
  summary: 'Move a group below another one',
  description:
    'The group keeps its members, its own assignments and everything below it; what it inherits changes. The answer lists ' +
    'what the group gains and loses, even in a dry run. Nothing is installed or uninstalled by the move itself: computers ' +
    'follow at their next activation. Open work that nothing justifies any more is cancelled. Answers 409 for a root, for a Reinstall, EOL or Restore group or parent, if the ' +
    'parent is the group itself or below it, and if the parent already has a child with this name.',
  role: 'group.write',
  extension: true,
  execution: { kind: 'LongChange' },
  massAction: affectsGroup,
  params: GroupPath,
  body: MoveGroupRequest,
  returns: ok(MovedGroup),
  problems: [
    groupNotFound,
    systemGroup,
    notEditableTree,
    specialGroup,
    parentNotFound,
    parentSpecialGroup,
    groupBelowItself,
    duplicateGroupName,
  ],
  changes: groupResource,
  shows: groupResource,
  async handle({ params: { id: groupId }, body: { parentId }, db }) {
    // What the group inherits is compared, so it must neither move nor go between the two reads.
    await lockGroupTrees(db)
    await requireGroup(db, groupId)
    const before = await getInheritance(db, groupId)
    await moveGroupBelow(db, groupId, parentId)
    const after = await getInheritance(db, groupId)
    return {
      groupId,
      ...after.place,
      previousParentId: before.place.parentId,
      previousPath: before.place.path,
      ...compareInheritance(before, after),
    }
  },
})

async function pinParent(db: Database, parentId: string): Promise<void> {
  await sql`select from groups where id = ${parentId} for key share`.execute(db)
}

/** Moves the group with everything below it to another parent of its tree. */
async function moveGroupBelow(db: Database, groupId: string, parentId: string): Promise<void> {
  // In the order of their ids, as others lock groups.
  if (parentId < groupId) await pinParent(db, parentId)
  const group = await lockGroup(db, groupId)
  if (group.kind === 'System') throw systemGroup({ groupId })
  if (!isComputerTree(group.tree)) throw notEditableTree({ groupId })
  if (isSpecial(group.kind)) throw specialGroup({ groupId })
  const parent = await db.selectFrom('groups').select(['tree', 'kind']).where('id', '=', parentId).executeTakeFirst()
  if (!parent) throw parentNotFound({ parentId })
  if (parent.tree !== group.tree) throw invalidPart('body', 'parentId', `must be a group of the tree ${group.tree}`)
  if (isSpecial(parent.kind)) throw parentSpecialGroup({ parentId })
  await db.updateTable('groups').set({ parent_id: parentId }).where('id', '=', groupId).execute()
  const computers = computersBelow(sql`select ${groupId}::uuid as group_id`)
  await withdrawUnjustifiedWork(db, { computers }, { reason: 'GroupMoved', subject: group.name })
}
