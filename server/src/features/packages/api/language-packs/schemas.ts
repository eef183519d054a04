import { closed, Type, Uuid } from '../../../../platform/schema.ts'
import { imageProperties, packageProperties } from '../schemas.ts'
import { containedText, searchFilter } from '../search-filter.ts'

export const LanguagePackImportPath = closed({ id: Uuid })

export const LanguagePackImport = closed(
  {
    id: { ...Uuid, description: 'Id of the package' },
    ...packageProperties,
    name: Type.String({ examples: ['German for Windows 11'], description: 'Display name of the package' }),
    ...imageProperties,
  },
  { title: 'LanguagePackImport' },
)

export const LanguagePackImportSearchFilter = searchFilter('LanguagePackImportSearchFilter', {
  name: containedText('German'),
  osLanguage: containedText('de'),
  os: containedText('Windows 11'),
  osType: containedText('Workstation'),
  osArchitecture: containedText('x64'),
})
