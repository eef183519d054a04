import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { languagePackRows } from '../../language-packs.ts'
import { imageContains } from '../../manifest-texts.ts'
import { LanguagePackImport, LanguagePackImportSearchFilter } from './schemas.ts'

export const searchLanguagePackImports = operation({
  id: 'searchLanguagePackImports',
  route: 'POST /api/language-pack-imports/search',
  summary: 'Search language packs',
  description: 'All criteria must match. Without criteria, all language packs are found.',
  role: 'package.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: LanguagePackImportSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(LanguagePackImport)),
  handle(call) {
    const { name, ...image } = call.body ?? {}
    let packs = languagePackRows(call.db).where(imageContains(image))
    if (name) packs = packs.where('packages.name', 'ilike', containing(name))
    return pageOf(call, packs, { columns: ['id'] })
  },
})
