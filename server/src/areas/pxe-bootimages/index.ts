import type { Area } from '../../platform/operation.ts'
import { getPxeBootImage } from './get-pxe-boot-image.ts'
import { listPxeBootImageGroups } from './list-pxe-boot-image-groups.ts'
import { listPxeBootImages } from './list-pxe-boot-images.ts'
import { searchPxeBootImages } from './search-pxe-boot-images.ts'

export const pxeBootImages: Area = {
  name: 'PXE Boot Images',
  description: 'What computers start from over the network.',
  operations: [listPxeBootImages, searchPxeBootImages, getPxeBootImage, listPxeBootImageGroups],
}
