import { closed, Id, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { packageProperties } from '../schemas.ts'
import { containedText, searchFilter } from '../search-filter.ts'

export const PxeBootImagePath = closed({ id: Id })

const bootFile = (example: string, description: string) =>
  nullable(text(2001, `boot/muster/${example}`, `${description}, as a path in the package store`))

export const PxeBootImage = closed(
  {
    id: Id,
    packageId: Uuid,
    ...packageProperties,
    name: Type.String({ examples: ['Muster boot'], description: 'Display name of the package' }),
    architecture: nullable(text(20, 'x64', 'Processor architecture')),
    loaderPath: bootFile('grubx64.efi', 'Boot loader that the firmware starts'),
    kernelPath: bootFile('vmlinuz', 'Kernel'),
    initrdPath: bootFile('initrd.img', 'Initial RAM disk'),
    kernelArguments: nullable(text(4_000, 'quiet', 'Kernel command line')),
  },
  { title: 'PxeBootImage' },
)

export const PxeBootImageSearchFilter = searchFilter('PxeBootImageSearchFilter', {
  name: containedText('boot'),
  version: containedText('1.2'),
  architecture: containedText('x64'),
})
