import { pxeBootImageById } from '../../domain/assignments/objects.ts'
import { pxeBootImageNotFound } from '../../domain/assignments/problems.ts'
import { ok, operation } from '../../platform/operation.ts'
import { PxeBootImage, PxeBootImagePath } from './schemas.ts'

export const getPxeBootImage = operation({
  id: 'getPxeBootImage',
  route: 'GET /api/pxe-bootimages/:id',
  summary: 'Read a PXE boot image',
  role: 'package.read',
  params: PxeBootImagePath,
  returns: ok(PxeBootImage),
  problems: [pxeBootImageNotFound],
  handle: ({ params, db }) => pxeBootImageById(db, params.id),
})
