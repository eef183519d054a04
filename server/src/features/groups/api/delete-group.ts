import type { Database } from '../../../database/connect.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { groupNotFound, isComputerTree, isSpecial, lockGroupTrees, requireGroup, specialGroup } from '../groups.ts'
import { getGroup } from './get-group.ts'
import { notDeletableTree, notEmpty, systemGroup } from './problems.ts'
import { GroupPath } from './schemas.ts'

export const deleteGroup = operation({
  id: 'deleteGroup',
  route: 'DELETE /api/group/:id',
  summary: 'Delete a group and its subtree',
  description:
    'Deletes the group, all groups below it, and their memberships, assignments and variable values. Computers are not deleted. Answers 409 if a group of the subtree has members, unless `force` is true.',
  role: 'group.write',
  isLong: true,
  params: GroupPath,
  query: closed({
    force: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Must be true if the group or a group below it has computers or users as members.',
      }),
    ),
  }),
  returns: noContent,
  problems: [groupNotFound, systemGroup, notDeletableTree, specialGroup, notEmpty],
  changes: getGroup,
  async handle({ params: { id: groupId }, query, db }) {
    await lockGroupTrees(db)
    const group = await requireGroup(db, groupId)
    if (group.kind === 'System') throw systemGroup({ groupId })
    if (!isComputerTree(group.tree)) throw notDeletableTree({ groupId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId })
    if (!query.force) {
      const userCounts = await lockSubtree(db, groupId)
      if (userCounts.some((count) => count > 0) || (await hasComputers(db, groupId))) throw notEmpty({ groupId })
    }
    // One statement for the whole subtree: a cascade from parent to child would nest as deep as the tree.
    await db.deleteFrom('groups').where('id', 'in', subtree(db, groupId)).execute()
  },
})

/**
 * Waits for transactions that are adding members and blocks new ones. Only a later statement sees the computers that
 * were added meanwhile. Returns the number of users in each group.
 */
async function lockSubtree(db: Database, groupId: string): Promise<number[]> {
  const groups = await db
    .selectFrom('groups')
    .select('user_count')
    .where('id', 'in', subtree(db, groupId))
    .orderBy('id')
    .forUpdate()
    .execute()
  return groups.map(({ user_count }) => user_count)
}

async function hasComputers(db: Database, groupId: string): Promise<boolean> {
  const member = await db
    .selectFrom('group_computers')
    .select('computer_id')
    .where('group_id', 'in', subtree(db, groupId))
    .limit(1)
    .executeTakeFirst()
  return member !== undefined
}

function subtree(db: Database, groupId: string) {
  return db.selectFrom('group_ancestors').select('descendant_id').where('ancestor_id', '=', groupId)
}
