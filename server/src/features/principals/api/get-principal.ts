import { ok, operation } from '../../../platform/operation.ts'
import { requireIdentityPrincipal } from '../read-principals.ts'
import { principalNotFound } from './problems.ts'
import { PrincipalDto, PrincipalPath } from './schemas.ts'

export const getPrincipal = operation({
  id: 'getPrincipal',
  route: 'GET /api/admin/principals/:id',
  summary: 'Get a principal of an identity provider',
  role: 'admin.manage',
  params: PrincipalPath,
  returns: ok(PrincipalDto),
  problems: [principalNotFound],
  unversioned: ['lastUsedUtc'],
  handle: ({ params, db }) => requireIdentityPrincipal(db, params.id),
})
