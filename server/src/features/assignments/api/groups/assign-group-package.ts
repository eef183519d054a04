import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { assign } from '../../assignments.ts'
import { coveredGroups, pinPackage, requireEndpoint } from '../../packages.ts'
import { coveredBySoftwareClass, wrongEndpointForType } from './problems.ts'
import { AssignGroupPackageRequest, GroupPackageAssignment } from './schemas.ts'

export const assignGroupPackage = operation({
  id: 'assignGroupPackage',
  route: 'POST /api/group/:id/packages',
  summary: 'Assign a package to a group',
  description:
    '201 when it is new to the group, 200 when it was assigned before. Operating systems, agent templates, language ' +
    'packs and PXE boot images are assigned through operations of their own.',
  role: 'group.write',
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
    const isNew = await assign(db, 'package', group.id, found.id)
    // Only now: what was assigned before the class may be asked for again.
    if (isNew && (await coveredGroups(db, [group.id], found.id)).size > 0) throw coveredBySoftwareClass(ids)
    return new Answer(isNew ? 201 : 200, { ...ids, alreadyAssigned: !isNew })
  },
})
