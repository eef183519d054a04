import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { bootArchitecture, pxeBootImageRows } from '../../pxe-boot-images.ts'
import { PxeBootImage, PxeBootImageSearchFilter } from './schemas.ts'

export const searchPxeBootImages = operation({
  id: 'searchPxeBootImages',
  route: 'POST /api/pxe-bootimages/search',
  summary: 'Search PXE boot images',
  description: 'All criteria must match. Without criteria, all PXE boot images are found.',
  role: 'package.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: PxeBootImageSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(PxeBootImage)),
  handle(call) {
    const { name, version, architecture } = call.body ?? {}
    let images = pxeBootImageRows(call.db)
    if (name) images = images.where('packages.name', 'ilike', containing(name))
    if (version) images = images.where('packages.version', 'ilike', containing(version))
    if (architecture) images = images.where(bootArchitecture, 'ilike', containing(architecture))
    return pageOf(call, images, { columns: ['id'] })
  },
})
