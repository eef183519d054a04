import { closed, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { imageProperties, packageProperties } from '../operating-systems/schemas.ts'

export const LanguagePackImportPath = closed({ id: Uuid })

export const LanguagePackImport = closed(
  {
    id: { ...Uuid, description: 'Id of the package' },
    ...packageProperties,
    name: Type.String({ examples: ['German for Windows 11'], description: 'Name of the package, for people' }),
    ...imageProperties,
  },
  { title: 'LanguagePackImport' },
)

const contained = (example: string) => Type.Optional(nullable(text(255, example)))

export const LanguagePackImportSearchFilter = closed(
  {
    name: contained('German'),
    osLanguage: contained('de'),
    os: contained('Windows 11'),
    osType: contained('Workstation'),
    osArchitecture: contained('x64'),
  },
  {
    title: 'LanguagePackImportSearchFilter',
    description: 'Criteria that must all hold; null and an empty text are none. Each is a part of the value.',
  },
)
