import { closed, Id, nullable, Type, text } from '../../../../platform/schema.ts'
import { Package } from '../schemas.ts'

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
    packages: Type.Array(Package, { description: 'The packages that the class covers, by id' }),
  },
  { title: 'SoftwareClassDetail' },
)

const contained = (example: string, description?: string) => Type.Optional(nullable(text(255, example, description)))

export const SoftwareClassSearchFilter = closed(
  {
    name: contained('brows'),
    description: contained('workstation'),
    packageName: contained('greet', 'Part of the name of a package of the class, for people or in the manifest'),
  },
  {
    title: 'SoftwareClassSearchFilter',
    description: 'Criteria that must all hold; null and an empty text are none. Each is a part of the value.',
  },
)
