import { ok, operation } from '../../../../platform/operation.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { getPmGroupRow } from '../../pm-groups.ts'
import { PmGroup, PmGroupPath } from './schemas.ts'

export const getPmGroup = operation({
  id: 'getPmGroup',
  route: 'GET /api/pmgroup/:id',
  summary: 'Get a patch management group',
  role: 'pm.read',
  params: PmGroupPath,
  returns: ok(PmGroup),
  problems: [pmGroupNotFound],
  unversioned: ['patchCount', 'assignmentCount'],
  handle: ({ params, db }) => getPmGroupRow(db, params.id),
})
