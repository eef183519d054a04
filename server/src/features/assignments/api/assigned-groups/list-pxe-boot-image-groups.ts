import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { PxeBootImagePath } from '../../../packages/api/pxe-boot-images/schemas.ts'
import { pxeBootImageNotFound } from '../../../packages/problems.ts'
import { getPxeBootImageById } from '../../../packages/pxe-boot-images.ts'
import { directlyAssignedGroups } from '../../directly-assigned-groups.ts'

export const listPxeBootImageGroups = operation({
  id: 'listPxeBootImageGroups',
  route: 'GET /api/pxe-bootimages/:id/groups',
  summary: 'List the groups to which a PXE boot image is assigned directly',
  description: 'Lists direct assignments only: a group that inherits it from an ancestor is not listed.',
  role: 'package.read',
  params: PxeBootImagePath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [pxeBootImageNotFound],
  async handle(call) {
    const { params, db } = call
    await getPxeBootImageById(db, params.id)
    return pageOf(call, directlyAssignedGroups(db, 'pxeBootImage', params.id), { columns: ['id'] })
  },
})
