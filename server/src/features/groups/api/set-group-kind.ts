import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { affectsGroup } from '../affected-computers.ts'
import { groupNotFound, isComputerTree, lockGroupTrees, requireGroup, specialGroup } from '../groups.ts'
import { getGroupKind } from './get-group-kind.ts'
import { alreadyInConfigurationGroup, hasSubgroups, notEditableTree, systemGroup } from './problems.ts'
import { GroupKind, GroupKindRequest, GroupPath } from './schemas.ts'

export const setGroupKind = operation({
  id: 'setGroupKind',
  route: 'PUT /api/group/:id/kind',
  summary: 'Make a group an EOL or Restore group, or an ordinary one again',
  description:
    'Freezes a group that reaches the end of its life (EOL) or that is being restored (Restore): its name, members and ' +
    'assignments cannot be changed, and it cannot be deleted or get subgroups, until it is ordinary again. What is assigned ' +
    'stays in effect. Answers 409 for a root, for a Reinstall group, for a group with subgroups, and if a member of an EOL ' +
    'or Restore group has joined another configuration group meanwhile.',
  extension: true,
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  body: GroupKindRequest,
  returns: ok(GroupKind),
  problems: [groupNotFound, systemGroup, notEditableTree, specialGroup, hasSubgroups, alreadyInConfigurationGroup],
  changes: getGroupKind,
  async handle({ params: { id: groupId }, body: { kind }, db }) {
    await lockGroupTrees(db)
    const group = await requireGroup(db, groupId)
    if (group.kind === 'System') throw systemGroup({ groupId })
    if (!isComputerTree(group.tree)) throw notEditableTree({ groupId })
    if (group.kind === 'Reinstall') throw specialGroup({ groupId })
    await sql`select from groups where id = ${groupId} for update`.execute(db)
    const subgroup = await db
      .selectFrom('groups')
      .select('id')
      .where('parent_id', '=', groupId)
      .limit(1)
      .executeTakeFirst()
    if (subgroup && kind !== 'Ordinary') throw hasSubgroups({ groupId })
    // The change cascades to the members. They are locked in the order that others use.
    await sql`
      select from group_computers where group_id = ${groupId} order by computer_id for update`.execute(db)
    await db.updateTable('groups').set({ kind }).where('id', '=', groupId).execute()
    return { groupId, kind }
  },
})
