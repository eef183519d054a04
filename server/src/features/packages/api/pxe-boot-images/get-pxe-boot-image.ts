import { ok, operation } from '../../../../platform/operation.ts'
import { getPxeBootImageById } from '../../package-objects.ts'
import { pxeBootImageNotFound } from '../../problems.ts'
import { PxeBootImage, PxeBootImagePath } from './schemas.ts'

export const getPxeBootImage = operation({
  id: 'getPxeBootImage',
  route: 'GET /api/pxe-bootimages/:id',
  summary: 'Read a PXE boot image',
  role: 'package.read',
  params: PxeBootImagePath,
  returns: ok(PxeBootImage),
  problems: [pxeBootImageNotFound],
  handle: ({ params, db }) => getPxeBootImageById(db, params.id),
})
