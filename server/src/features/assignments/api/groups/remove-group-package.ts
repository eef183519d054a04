import { noContent, operation } from '../../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassign } from '../../assignments.ts'
import { packageNotAssigned } from './problems.ts'
import { GroupPackagePath } from './schemas.ts'

export const removeGroupPackage = operation({
  id: 'removeGroupPackage',
  route: 'DELETE /api/group/:id/packages/:packageId',
  summary: 'Take a package from a group',
  description: 'The distribution options of the package in this group go with it.',
  role: 'group.write',
  params: GroupPackagePath,
  returns: noContent,
  problems: [groupNotFound, packageNotAssigned],
  async handle({ params: { id: groupId, packageId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassign(db, 'package', groupId, packageId))) throw packageNotAssigned({ groupId, packageId })
  },
})
