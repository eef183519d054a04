import { ok, operation } from '../../../platform/operation.ts'
import { requireLocalPrincipal } from '../read-principals.ts'
import { principalNotFound } from './problems.ts'
import { LocalPrincipalDto, PrincipalPath } from './schemas.ts'

export const getLocalPrincipal = operation({
  id: 'getLocalPrincipal',
  route: 'GET /api/admin/local-principals/:id',
  summary: 'Get a local principal',
  role: 'admin.manage',
  params: PrincipalPath,
  returns: ok(LocalPrincipalDto),
  problems: [principalNotFound],
  unversioned: ['lastUsedUtc'],
  handle: ({ params, db }) => requireLocalPrincipal(db, params.id),
})
