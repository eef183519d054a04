import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { pxeBootImageRows } from '../../pxe-boot-images.ts'
import { PxeBootImage } from './schemas.ts'

export const listPxeBootImages = operation({
  id: 'listPxeBootImages',
  route: 'GET /api/pxe-bootimages',
  summary: 'List all PXE boot images',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(PxeBootImage)),
  handle: (call) => pageOf(call, pxeBootImageRows(call.db), { columns: ['id'] }),
})
