import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, lockGroup, specialGroup } from '../../../groups/groups.ts'
import { pxeBootImageNotFound } from '../../../packages/problems.ts'
import { assignSingleToGroup } from '../../assign-to-group.ts'
import { AssignPxeBootImageRequest, GroupPxeBootImageAssignment } from './schemas.ts'

export const assignGroupPxeBootImage = operation({
  id: 'assignGroupPxeBootImage',
  route: 'POST /api/group/:id/pxe-bootimage',
  summary: 'Assign a PXE boot image to a group, replacing the current one',
  description:
    'A group has at most one boot image: another one that is assigned to the group is replaced. Answers 201 if the ' +
    'assignment is new and 200 if nothing changed. With `skipIfInherited`, nothing is stored if the group already ' +
    'inherits the same boot image. Reinstall, EOL and Restore groups are refused with 409.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  body: AssignPxeBootImageRequest,
  returns: { ...created(GroupPxeBootImageAssignment), ...ok(GroupPxeBootImageAssignment) },
  problems: [groupNotFound, pxeBootImageNotFound, specialGroup],
  async handle({ params, body: { pxeId, skipIfInherited }, db }) {
    const group = await lockGroup(db, params.id)
    const image = await db
      .selectFrom('pxe_boot_images')
      .select('id')
      .where('id', '=', pxeId)
      .forKeyShare()
      .executeTakeFirst()
    if (!image) throw pxeBootImageNotFound({ pxeId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    const { status, outcome } = await assignSingleToGroup(db, 'pxeBootImage', group.id, pxeId, skipIfInherited)
    return new Answer(status, { groupId: group.id, pxeId, ...outcome })
  },
})
