import { ok, operation } from '../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../groups.ts'
import { GroupKind, GroupPath, type groupKinds } from './schemas.ts'

export const getGroupKind = operation({
  id: 'getGroupKind',
  route: 'GET /api/group/:id/kind',
  summary: 'Get the kind of a group',
  description:
    'System: the root of a tree. Reinstall, EOL and Restore groups are special: their name, members, subgroups and ' +
    'assignments cannot be changed.',
  extension: true,
  role: 'group.read',
  params: GroupPath,
  returns: ok(GroupKind),
  problems: [groupNotFound],
  async handle({ params, db }) {
    const { id, kind } = await requireGroup(db, params.id)
    return { groupId: id, kind: kind as (typeof groupKinds)[number] }
  },
})
