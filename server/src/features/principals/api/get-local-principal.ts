import { ok, operation } from '../../../platform/operation.ts'
import { localPrincipal } from '../queries.ts'
import { principalNotFound } from './problems.ts'
import { LocalPrincipalDto, PrincipalPath } from './schemas.ts'

export const getLocalPrincipal = operation({
  id: 'getLocalPrincipal',
  route: 'GET /api/admin/local-principals/:id',
  summary: 'Read one local principal',
  role: 'admin.manage',
  params: PrincipalPath,
  returns: ok(LocalPrincipalDto),
  problems: [principalNotFound],
  handle: ({ params, db }) => localPrincipal(db, params.id),
})
