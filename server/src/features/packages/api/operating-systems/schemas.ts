import { closed, Id, Int32, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'

export const OperatingSystemImportPath = closed({ id: Uuid })

export const OsImageSkuPath = closed({ id: Uuid, skuId: Id })

/** What every object that came out of a package tells about the package. */
export const packageProperties = {
  name: Type.String({ examples: ['Windows 11 24H2'], description: 'Name of the package, for people' }),
  version: nullable(text(100, '1.2.0', 'Version of the package')),
  description: nullable(text(10_000, 'For the workstations of all branches')),
  operational: Type.Boolean({ examples: [true], description: 'The Ready-to-Install flag of the package' }),
}

/** What the manifest of an operating system or of a language pack tells about its image. */
export const imageProperties = {
  imagePath: nullable(text(2001, 'images/windows-11/install.wim', 'The image, as a path in the package store')),
  osLanguage: nullable(text(35, 'de-DE', 'Language tag')),
  os: nullable(text(100, 'Windows 11', 'Operating system')),
  osType: nullable(text(50, 'Workstation', 'Type of the operating system')),
  osArchitecture: nullable(text(20, 'x64', 'Architecture of the processor')),
}

export const OsImageSku = closed(
  {
    skuId: Id,
    skuIndex: { ...Int32, examples: [1], description: 'Number of the edition in the image' },
    edition: Type.String({ examples: ['Professional'] }),
    packageId: { ...Uuid, description: 'The operating system import that has the edition' },
    imageName: Type.String({ examples: ['Windows 11 24H2'], description: 'Name of that import' }),
  },
  { title: 'OsImageSku' },
)

export const OperatingSystemImport = closed(
  {
    id: { ...Uuid, description: 'Id of the package' },
    ...packageProperties,
    ...imageProperties,
    skus: Type.Array(OsImageSku, { description: 'The editions in the image, by number' }),
  },
  { title: 'OperatingSystemImport' },
)

const contained = (example: string) => Type.Optional(nullable(text(255, example)))

export const OperatingSystemImportSearchFilter = closed(
  {
    name: contained('Windows'),
    edition: contained('Professional'),
    osLanguage: contained('de'),
    os: contained('Windows 11'),
    osType: contained('Workstation'),
    osArchitecture: contained('x64'),
  },
  {
    title: 'OperatingSystemImportSearchFilter',
    description: 'Criteria that must all hold; null and an empty text are none. Each is a part of the value.',
  },
)
