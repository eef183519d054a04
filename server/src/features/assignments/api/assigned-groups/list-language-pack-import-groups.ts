import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { LanguagePackImportPath } from '../../../packages/api/language-packs/schemas.ts'
import { getLanguagePackById } from '../../../packages/language-packs.ts'
import { languagePackNotFound } from '../../../packages/problems.ts'
import { directlyAssignedGroups } from '../../directly-assigned-groups.ts'

export const listLanguagePackImportGroups = operation({
  id: 'listLanguagePackImportGroups',
  route: 'GET /api/language-pack-imports/:id/groups',
  summary: 'List the groups to which a language pack is assigned directly',
  description: 'Lists direct assignments only: a group that inherits it from an ancestor is not listed.',
  role: 'package.read',
  params: LanguagePackImportPath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [languagePackNotFound],
  async handle(call) {
    const { params, db } = call
    await getLanguagePackById(db, params.id)
    return pageOf(call, directlyAssignedGroups(db, 'languagePack', params.id), { columns: ['id'] })
  },
})
