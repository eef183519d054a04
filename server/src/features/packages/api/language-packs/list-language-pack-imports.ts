import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { languagePackRows } from '../../language-packs.ts'
import { LanguagePackImport } from './schemas.ts'

export const listLanguagePackImports = operation({
  id: 'listLanguagePackImports',
  route: 'GET /api/language-pack-imports',
  summary: 'List all language packs',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(LanguagePackImport)),
  handle: (call) => pageOf(call, languagePackRows(call.db), { columns: ['id'] }),
})
