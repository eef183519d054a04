import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { pmGroupAssignmentRows } from '../../pm-group-contents.ts'
import { requirePmGroup } from '../../pm-groups.ts'
import { PmGroupAssignment, PmGroupPath } from './schemas.ts'

export const listPmGroupAssignments = operation({
  id: 'listPmGroupAssignments',
  route: 'GET /api/pmgroup/:id/assignments',
  summary: 'List the assignments of a patch management group',
  description: 'Includes the group that was created for emergency patching, with `isEmergency` set.',
  role: 'pm.read',
  params: PmGroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(PmGroupAssignment)),
  problems: [pmGroupNotFound],
  async handle(call) {
    const { params, db } = call
    await requirePmGroup(db, params.id)
    return pageOf(call, pmGroupAssignmentRows(db, params.id), { columns: ['treeId'] })
  },
})
