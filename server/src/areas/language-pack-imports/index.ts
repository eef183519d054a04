import type { Area } from '../../platform/operation.ts'
import { getLanguagePackImport } from './get-language-pack-import.ts'
import { listLanguagePackImportGroups } from './list-language-pack-import-groups.ts'
import { listLanguagePackImports } from './list-language-pack-imports.ts'
import { searchLanguagePackImports } from './search-language-pack-imports.ts'

export const languagePackImports: Area = {
  name: 'Language Pack Imports',
  description: 'Languages for operating systems.',
  operations: [listLanguagePackImports, searchLanguagePackImports, getLanguagePackImport, listLanguagePackImportGroups],
}
