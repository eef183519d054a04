import { ok, operation } from '../../../../platform/operation.ts'
import { getLanguagePackById } from '../../language-packs.ts'
import { languagePackNotFound } from '../../problems.ts'
import { LanguagePackImport, LanguagePackImportPath } from './schemas.ts'

export const getLanguagePackImport = operation({
  id: 'getLanguagePackImport',
  route: 'GET /api/language-pack-imports/:id',
  summary: 'Get a language pack',
  role: 'package.read',
  params: LanguagePackImportPath,
  returns: ok(LanguagePackImport),
  problems: [languagePackNotFound],
  handle: ({ params, db }) => getLanguagePackById(db, params.id),
})
