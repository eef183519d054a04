import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { softwareClassNotFound } from '../../../packages/problems.ts'
import { assignToGroup } from '../../assign-to-group.ts'
import { AssignSoftwareClassRequest, GroupSoftwareClassAssignment } from './schemas.ts'

export const assignGroupSoftwareClass = operation({
  id: 'assignGroupSoftwareClass',
  route: 'POST /api/group/:id/software-classes',
  summary: 'Assign a software class to a group',
  description:
    'Computers get every package of the class. Answers 201 if the assignment is new and 200 if nothing changed. ' +
    'Packages of the class that are assigned to the group directly stay assigned. Reinstall, EOL and Restore groups ' +
    'are refused with 409.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  body: AssignSoftwareClassRequest,
  returns: { ...created(GroupSoftwareClassAssignment), ...ok(GroupSoftwareClassAssignment) },
  problems: [groupNotFound, softwareClassNotFound, specialGroup],
  async handle({ params, body: { classId }, db }) {
    const group = await pinGroup(db, params.id)
    const found = await db
      .selectFrom('software_classes')
      .select('id')
      .where('id', '=', classId)
      .forKeyShare()
      .executeTakeFirst()
    if (!found) throw softwareClassNotFound({ classId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    const isNew = await assignToGroup(db, 'softwareClass', group.id, classId)
    return new Answer(isNew ? 201 : 200, { groupId: group.id, classId, alreadyAssigned: !isNew })
  },
})
