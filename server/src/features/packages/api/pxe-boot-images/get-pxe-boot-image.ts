import { ok, operation } from '../../../../platform/operation.ts'
import { pxeBootImageNotFound } from '../../problems.ts'
import { getPxeBootImageById } from '../../pxe-boot-images.ts'
import { PxeBootImage, PxeBootImagePath } from './schemas.ts'

export const getPxeBootImage = operation({
  id: 'getPxeBootImage',
  route: 'GET /api/pxe-bootimages/:id',
  summary: 'Get a PXE boot image',
  role: 'package.read',
  params: PxeBootImagePath,
  returns: ok(PxeBootImage),
  problems: [pxeBootImageNotFound],
  handle: ({ params, db }) => getPxeBootImageById(db, params.id),
})
