import { noContent, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassignFromGroup } from '../../assign-to-group.ts'
import { languagePackNotAssigned } from './problems.ts'
import { GroupPackagePath } from './schemas.ts'

export const removeGroupLanguagePack = operation({
  id: 'removeGroupLanguagePack',
  route: 'DELETE /api/group/:id/language-pack-imports/:packageId',
  summary: 'Remove a language pack from a group',
  description:
    'Removes the direct assignment only: what the group inherits from its ancestors stays effective. Open work that nothing else justifies is cancelled.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPackagePath,
  returns: noContent,
  problems: [groupNotFound, languagePackNotAssigned],
  async handle({ params: { id: groupId, packageId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassignFromGroup(db, 'languagePack', groupId, packageId)))
      throw languagePackNotAssigned({ groupId, packageId })
  },
})
