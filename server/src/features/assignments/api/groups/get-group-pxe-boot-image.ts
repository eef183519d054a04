import { ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { PxeBootImage } from '../../../packages/api/pxe-boot-images/schemas.ts'
import { pxeBootImageRows } from '../../../packages/pxe-boot-images.ts'
import { noPxeBootImageAssigned } from '../../problems.ts'

export const getGroupPxeBootImage = operation({
  id: 'getGroupPxeBootImage',
  route: 'GET /api/group/:id/pxe-bootimage',
  summary: 'Get the PXE boot image that is assigned to a group directly',
  description: 'Considers the direct assignment only, not what the group inherits. Answers 404 if there is none.',
  role: 'group.read',
  params: GroupPath,
  returns: ok(PxeBootImage),
  problems: [groupNotFound, noPxeBootImageAssigned],
  async handle({ params: { id: groupId }, db }) {
    await requireGroup(db, groupId)
    const image = await pxeBootImageRows(db)
      .innerJoin('group_pxe_boot_images as assigned', 'assigned.image_id', 'pxe_boot_images.id')
      .where('assigned.group_id', '=', groupId)
      .executeTakeFirst()
    if (!image) throw noPxeBootImageAssigned({ groupId })
    return image
  },
})
