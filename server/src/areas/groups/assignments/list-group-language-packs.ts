import { languagePackRows } from '../../../domain/assignments/objects.ts'
import { groupNotFound, requireGroup } from '../../../domain/groups.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { LanguagePackImport } from '../../language-pack-imports/schemas.ts'
import { GroupPath } from '../schemas.ts'

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
