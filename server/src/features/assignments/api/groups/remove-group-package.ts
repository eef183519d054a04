import { noContent, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassignFromGroup } from '../../assign-to-group.ts'
import { packageNotAssigned } from './problems.ts'
import { GroupPackagePath } from './schemas.ts'

export const removeGroupPackage = operation({
  id: 'removeGroupPackage',
  route: 'DELETE /api/group/:id/packages/:packageId',
  summary: 'Remove a package from a group',
  description:
    'Removes the direct assignment only: what the group inherits from its ancestors stays effective. Open work that ' +
    'nothing else justifies is cancelled. The ' +
    'distribution options of the package in this group are deleted with it. Nothing is uninstalled.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPackagePath,
  returns: noContent,
  problems: [groupNotFound, packageNotAssigned],
  async handle({ params: { id: groupId, packageId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassignFromGroup(db, 'package', groupId, packageId))) throw packageNotAssigned({ groupId, packageId })
  },
})
