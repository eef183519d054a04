import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { SoftwareClassPath } from '../../../packages/api/software-classes/schemas.ts'
import { softwareClassNotFound } from '../../../packages/problems.ts'
import { getSoftwareClassById } from '../../../packages/software-classes.ts'
import { directlyAssignedGroups } from '../../directly-assigned-groups.ts'

export const listSoftwareClassGroups = operation({
  id: 'listSoftwareClassGroups',
  route: 'GET /api/softwareclasses/:id/groups',
  summary: 'List the groups to which a software class is assigned directly',
  description: 'Lists direct assignments only: a group that inherits it from an ancestor is not listed.',
  role: 'package.read',
  params: SoftwareClassPath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  extension: true,
  problems: [softwareClassNotFound],
  async handle(call) {
    const { params, db } = call
    await getSoftwareClassById(db, params.id)
    return pageOf(call, directlyAssignedGroups(db, 'softwareClass', params.id), { columns: ['id'] })
  },
})
