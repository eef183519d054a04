import { directGroups } from '../../domain/assignments/direct-groups.ts'
import { pxeBootImageById } from '../../domain/assignments/objects.ts'
import { pxeBootImageNotFound } from '../../domain/assignments/problems.ts'
import { ok, operation } from '../../platform/operation.ts'
import { pageOf, paging } from '../../platform/paging.ts'
import { closed, pagedResultOf } from '../../platform/schema.ts'
import { Group } from '../groups/schemas.ts'
import { PxeBootImagePath } from './schemas.ts'

export const listPxeBootImageGroups = operation({
  id: 'listPxeBootImageGroups',
  route: 'GET /api/pxe-bootimages/:id/groups',
  summary: 'List the groups to which a PXE boot image is assigned directly',
  role: 'package.read',
  params: PxeBootImagePath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [pxeBootImageNotFound],
  async handle(call) {
    const { params, db } = call
    await pxeBootImageById(db, params.id)
    return pageOf(call, directGroups(db, 'pxeBootImage', params.id), { columns: ['id'] })
  },
})
