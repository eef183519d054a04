import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { assignToGroup } from '../../assign-to-group.ts'
import { pinPackage, requireEndpoint } from '../../assignable-package.ts'
import { wrongEndpointForType } from './problems.ts'
import { AssignLanguagePackRequest, GroupLanguagePackAssignment } from './schemas.ts'

export const assignGroupLanguagePack = operation({
  id: 'assignGroupLanguagePack',
  route: 'POST /api/group/:id/language-pack-imports',
  summary: 'Assign a language pack to a group',
  description:
    'A group can have several language packs. Answers 201 if the assignment is new and 200 if nothing changed. ' +
    'Reinstall, EOL and Restore groups are refused with 409. A package that is not a language pack is refused with ' +
    '409, which names the right endpoint.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  body: AssignLanguagePackRequest,
  returns: { ...created(GroupLanguagePackAssignment), ...ok(GroupLanguagePackAssignment) },
  problems: [groupNotFound, packageNotFound, specialGroup, wrongEndpointForType],
  async handle({ params, body, db }) {
    const group = await pinGroup(db, params.id)
    const pack = await pinPackage(db, body.packageId)
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    requireEndpoint(pack, 'language-pack-imports')
    const isNew = await assignToGroup(db, 'languagePack', group.id, pack.id)
    return new Answer(isNew ? 201 : 200, { groupId: group.id, packageId: pack.id, alreadyAssigned: !isNew })
  },
})
