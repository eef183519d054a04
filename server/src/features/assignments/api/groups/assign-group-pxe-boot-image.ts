import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { pxeBootImageNotFound } from '../../../packages/problems.ts'
import { assignSingle } from '../../assignments.ts'
import { AssignPxeBootImageRequest, GroupPxeBootImageAssignment } from './schemas.ts'

export const assignGroupPxeBootImage = operation({
  id: 'assignGroupPxeBootImage',
  route: 'POST /api/group/:id/pxe-bootimage',
  summary: 'Assign a PXE boot image to a group, in the place of the one it has',
  description: '201 when it is new to the group, 200 when nothing changed.',
  role: 'group.write',
  params: GroupPath,
  body: AssignPxeBootImageRequest,
  returns: { ...created(GroupPxeBootImageAssignment), ...ok(GroupPxeBootImageAssignment) },
  problems: [groupNotFound, pxeBootImageNotFound, specialGroup],
  async handle({ params, body: { pxeId, skipIfInherited }, db }) {
    const group = await pinGroup(db, params.id)
    const image = await db
      .selectFrom('pxe_boot_images')
      .select('id')
      .where('id', '=', pxeId)
      .forKeyShare()
      .executeTakeFirst()
    if (!image) throw pxeBootImageNotFound({ pxeId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    const { status, outcome } = await assignSingle(db, 'pxeBootImage', group.id, pxeId, skipIfInherited)
    return new Answer(status, { groupId: group.id, pxeId, ...outcome })
  },
})
