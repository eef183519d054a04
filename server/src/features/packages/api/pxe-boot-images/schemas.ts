import { closed, Id, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { packageProperties } from '../package-properties.ts'
import { containedText, searchFilter } from '../search-filter.ts'

export const PxeBootImagePath = closed({ id: Id })

const bootFile = (example: string, description: string) =>
  nullable(text(2001, `boot/muster/${example}`, `${description}, as a path in the package store`))

export const PxeBootImage = closed(
  {
    id: Id,
    packageId: Uuid,
    ...packageProperties,
    name: Type.String({ examples: ['Muster boot'], description: 'Name of the package, for people' }),
    architecture: nullable(text(20, 'x64', 'Architecture of the processor')),
    loaderPath: bootFile('grubx64.efi', 'What the firmware loads first'),
    kernelPath: bootFile('vmlinuz', 'The kernel'),
    initrdPath: bootFile('initrd.img', 'The first file system'),
    kernelArguments: nullable(text(4_000, 'quiet')),
  },
  { title: 'PxeBootImage' },
)

export const PxeBootImageSearchFilter = searchFilter('PxeBootImageSearchFilter', {
  name: containedText('boot'),
  version: containedText('1.2'),
  architecture: containedText('x64'),
})
