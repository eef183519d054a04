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
  summary: 'Delete a group with everything below it',
  description: 'Computers stay; their memberships in the deleted groups end.',
  role: 'group.write',
  params: GroupPath,
  query: closed({
    force: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Must be true when the group or one below it holds computers or users.',
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
    if (!query.force && (await holdsMembers(db, groupId))) throw notEmpty({ groupId })
    // All at once: a cascade from parent to child would nest as deep as the tree.
    await db.deleteFrom('groups').where('id', 'in', subtree(db, groupId)).execute()
  },
})

async function holdsMembers(db: Database, groupId: string): Promise<boolean> {
  // The locks wait for members on their way in, which only the next statement sees, and keep out others.
  const groups = await db
    .selectFrom('groups')
    .select('user_count')
    .where('id', 'in', subtree(db, groupId))
    .orderBy('id')
    .forUpdate()
    .execute()
  if (groups.some(({ user_count }) => user_count > 0)) return true
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
