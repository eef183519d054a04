import { noContent, operation } from '../../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassign } from '../../assignments.ts'
import { softwareClassNotAssigned } from './problems.ts'
import { GroupSoftwareClassPath } from './schemas.ts'

export const removeGroupSoftwareClass = operation({
  id: 'removeGroupSoftwareClass',
  route: 'DELETE /api/group/:id/software-classes/:classId',
  summary: 'Take a software class from a group',
  role: 'group.write',
  params: GroupSoftwareClassPath,
  returns: noContent,
  problems: [groupNotFound, softwareClassNotAssigned],
  async handle({ params: { id: groupId, classId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassign(db, 'softwareClass', groupId, classId))) throw softwareClassNotAssigned({ groupId, classId })
  },
})
