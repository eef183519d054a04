import { closed, Id, Int32, Type, Uuid } from '../../../../platform/schema.ts'
import { imageProperties, packageProperties } from '../schemas.ts'
import { containedText, searchFilter } from '../search-filter.ts'

export const OperatingSystemImportPath = closed({ id: Uuid })

export const OsImageSkuPath = closed({ id: Uuid, skuId: Id })

export const OsImageSku = closed(
  {
    skuId: Id,
    skuIndex: { ...Int32, examples: [1], description: 'Number of the edition in the image' },
    edition: Type.String({ examples: ['Professional'] }),
    packageId: { ...Uuid, description: 'Operating system that has the edition' },
    imageName: Type.String({ examples: ['Windows 11 24H2'], description: 'Display name of that operating system' }),
  },
  { title: 'OsImageSku' },
)

export const OperatingSystemImport = closed(
  {
    id: { ...Uuid, description: 'Id of the package' },
    ...packageProperties,
    ...imageProperties,
    skus: Type.Array(OsImageSku, { description: 'Editions in the image, sorted by number' }),
  },
  { title: 'OperatingSystemImport' },
)

export const OperatingSystemImportSearchFilter = searchFilter('OperatingSystemImportSearchFilter', {
  name: containedText('Windows'),
  edition: containedText('Professional'),
  osLanguage: containedText('de'),
  os: containedText('Windows 11'),
  osType: containedText('Workstation'),
  osArchitecture: containedText('x64'),
})
