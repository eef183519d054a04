import { noContent, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassignFromGroup } from '../../assign-to-group.ts'
import { softwareClassNotAssigned } from './problems.ts'
import { GroupSoftwareClassPath } from './schemas.ts'

export const removeGroupSoftwareClass = operation({
  id: 'removeGroupSoftwareClass',
  route: 'DELETE /api/group/:id/software-classes/:classId',
  summary: 'Remove a software class from a group',
  description:
    'Removes the direct assignment only: what the group inherits from its ancestors stays effective. Open work that nothing else justifies is cancelled.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupSoftwareClassPath,
  returns: noContent,
  problems: [groupNotFound, softwareClassNotAssigned],
  async handle({ params: { id: groupId, classId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassignFromGroup(db, 'softwareClass', groupId, classId)))
      throw softwareClassNotAssigned({ groupId, classId })
  },
})
