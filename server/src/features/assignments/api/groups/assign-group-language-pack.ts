import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { assign } from '../../assignments.ts'
import { pinPackage, requireEndpoint } from '../../packages.ts'
import { wrongEndpointForType } from './problems.ts'
import { AssignLanguagePackRequest, GroupLanguagePackAssignment } from './schemas.ts'

export const assignGroupLanguagePack = operation({
  id: 'assignGroupLanguagePack',
  route: 'POST /api/group/:id/language-pack-imports',
  summary: 'Assign a language pack to a group',
  description: '201 when it is new to the group, 200 when it was assigned before.',
  role: 'group.write',
  params: GroupPath,
  body: AssignLanguagePackRequest,
  returns: { ...created(GroupLanguagePackAssignment), ...ok(GroupLanguagePackAssignment) },
  problems: [groupNotFound, packageNotFound, specialGroup, wrongEndpointForType],
  async handle({ params, body, db }) {
    const group = await pinGroup(db, params.id)
    const pack = await pinPackage(db, body.packageId)
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    requireEndpoint(pack, 'language-pack-imports')
    const isNew = await assign(db, 'languagePack', group.id, pack.id)
    return new Answer(isNew ? 201 : 200, { groupId: group.id, packageId: pack.id, alreadyAssigned: !isNew })
  },
})
