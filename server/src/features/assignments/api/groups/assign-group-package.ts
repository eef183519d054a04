import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { assignToGroup } from '../../assign-to-group.ts'
import { pinPackage, requireEndpoint } from '../../assignable-package.ts'
import { findGroupsCoveredByClass } from '../../software-class-coverage.ts'
import { coveredBySoftwareClass, wrongEndpointForType } from './problems.ts'
import { AssignGroupPackageRequest, GroupPackageAssignment } from './schemas.ts'

export const assignGroupPackage = operation({
  id: 'assignGroupPackage',
  route: 'POST /api/group/:id/packages',
  summary: 'Assign a package to a group',
  description:
    'The assignment states what the computers of the group and its subgroups get; it reaches them at their next ' +
    'activation. Answers 201 if the assignment is new and 200 if nothing changed. Reinstall, EOL and Restore groups ' +
    'are refused with 409. A package that the group already gets through a software class is refused with 409. ' +
    'Operating systems, agent templates, language packs and PXE boot images have their own operations; the 409 names ' +
    'the right endpoint.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  body: AssignGroupPackageRequest,
  returns: { ...created(GroupPackageAssignment), ...ok(GroupPackageAssignment) },
  problems: [groupNotFound, packageNotFound, specialGroup, wrongEndpointForType, coveredBySoftwareClass],
  async handle({ params, body, db }) {
    const group = await pinGroup(db, params.id)
    const found = await pinPackage(db, body.packageId)
    const ids = { groupId: group.id, packageId: found.id }
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    requireEndpoint(found, 'packages')
    const isNew = await assignToGroup(db, 'package', group.id, found.id)
    // Checked for new assignments only: a package that was assigned before the class stays assigned.
    const covered = isNew && (await findGroupsCoveredByClass(db, [group.id], found.id)).has(group.id)
    if (covered) throw coveredBySoftwareClass(ids)
    return new Answer(isNew ? 201 : 200, { ...ids, alreadyAssigned: !isNew })
  },
})
