import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { LanguagePackImport } from '../../../packages/api/language-packs/schemas.ts'
import { languagePackRows } from '../../../packages/language-packs.ts'

export const listGroupLanguagePacks = operation({
  id: 'listGroupLanguagePacks',
  route: 'GET /api/group/:id/language-pack-imports',
  summary: 'List the language packs that are assigned to a group directly',
  role: 'group.read',
  params: GroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(LanguagePackImport)),
  problems: [groupNotFound],
  async handle(call) {
    const { params, db } = call
    await requireGroup(db, params.id)
    const packs = languagePackRows(db)
      .innerJoin('group_language_packs as assigned', 'assigned.package_id', 'packages.id')
      .where('assigned.group_id', '=', params.id)
    return pageOf(call, packs, { columns: ['id'] })
  },
})
