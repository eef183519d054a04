import { noContent, operation } from '../../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassign } from '../../assignments.ts'
import { noPxeBootImageAssigned } from '../../problems.ts'
import { getGroupPxeBootImage } from './get-group-pxe-boot-image.ts'
import { pxeBootImageNotAssigned } from './problems.ts'
import { GroupPxeBootImagePath } from './schemas.ts'

export const removeGroupPxeBootImage = operation({
  id: 'removeGroupPxeBootImage',
  route: 'DELETE /api/group/:id/pxe-bootimage/:pxeId',
  summary: 'Take its PXE boot image from a group',
  role: 'group.write',
  params: GroupPxeBootImagePath,
  returns: noContent,
  problems: [groupNotFound, pxeBootImageNotAssigned, noPxeBootImageAssigned],
  changes: getGroupPxeBootImage,
  async handle({ params: { id: groupId, pxeId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassign(db, 'pxeBootImage', groupId, pxeId))) throw pxeBootImageNotAssigned({ groupId, pxeId })
  },
})
