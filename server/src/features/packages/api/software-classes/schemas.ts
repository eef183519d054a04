import { closed, Id, nullable, Type, text } from '../../../../platform/schema.ts'
import { Package } from '../schemas.ts'
import { containedText, searchFilter } from '../search-filter.ts'

export const SoftwareClassPath = closed({ id: Id })

export const SoftwareClass = closed(
  {
    id: Id,
    name: Type.String({ examples: ['Browsers'] }),
    description: nullable(text(1000, 'One of them on every workstation')),
  },
  { title: 'SoftwareClass' },
)

export const SoftwareClassDetail = closed(
  {
    ...SoftwareClass.properties,
    packages: Type.Array(Package, { description: 'Packages of the class, sorted by id' }),
  },
  { title: 'SoftwareClassDetail' },
)

export const SoftwareClassSearchFilter = searchFilter('SoftwareClassSearchFilter', {
  name: containedText('brows'),
  description: containedText('workstation'),
  packageName: containedText(
    'greet',
    'Part of the display name, or of the name in the manifest, of a package of the class',
  ),
})
