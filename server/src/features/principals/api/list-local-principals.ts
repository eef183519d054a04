import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { localPrincipals } from '../queries.ts'
import { LocalPrincipalDto } from './schemas.ts'

export const listLocalPrincipals = operation({
  id: 'listLocalPrincipals',
  route: 'GET /api/admin/local-principals',
  summary: 'List the local principals',
  role: 'admin.manage',
  returns: ok(Type.Array(LocalPrincipalDto)),
  handle: ({ db }) => localPrincipals(db).orderBy('principals.id').execute(),
})
