import { noContent, operation } from '../../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassign } from '../../assignments.ts'
import { languagePackNotAssigned } from './problems.ts'
import { GroupPackagePath } from './schemas.ts'

export const removeGroupLanguagePack = operation({
  id: 'removeGroupLanguagePack',
  route: 'DELETE /api/group/:id/language-pack-imports/:packageId',
  summary: 'Take a language pack from a group',
  role: 'group.write',
  params: GroupPackagePath,
  returns: noContent,
  problems: [groupNotFound, languagePackNotAssigned],
  async handle({ params: { id: groupId, packageId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassign(db, 'languagePack', groupId, packageId))) throw languagePackNotAssigned({ groupId, packageId })
  },
})
