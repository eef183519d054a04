import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { selectIdentityPrincipals } from '../read-principals.ts'
import { PrincipalDto } from './schemas.ts'

export const listPrincipals = operation({
  id: 'listPrincipals',
  route: 'GET /api/admin/principals',
  summary: 'List all principals of identity providers',
  role: 'admin.manage',
  returns: ok(Type.Array(PrincipalDto)),
  handle: ({ db }) => selectIdentityPrincipals(db).orderBy('principals.id').execute(),
})
