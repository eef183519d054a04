import { noContent, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassignFromGroup } from '../../assign-to-group.ts'
import { noPxeBootImageAssigned } from '../../problems.ts'
import { getGroupPxeBootImage } from './get-group-pxe-boot-image.ts'
import { pxeBootImageNotAssigned } from './problems.ts'
import { GroupPxeBootImagePath } from './schemas.ts'

export const removeGroupPxeBootImage = operation({
  id: 'removeGroupPxeBootImage',
  route: 'DELETE /api/group/:id/pxe-bootimage/:pxeId',
  summary: 'Remove the PXE boot image from a group',
  description:
    'Removes the direct assignment only: what the group inherits from its ancestors stays effective. Open work that nothing else justifies is cancelled.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPxeBootImagePath,
  returns: noContent,
  problems: [groupNotFound, pxeBootImageNotAssigned, noPxeBootImageAssigned],
  changes: getGroupPxeBootImage,
  async handle({ params: { id: groupId, pxeId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassignFromGroup(db, 'pxeBootImage', groupId, pxeId)))
      throw pxeBootImageNotAssigned({ groupId, pxeId })
  },
})
