import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { selectLocalPrincipals } from '../read-principals.ts'
import { LocalPrincipalDto } from './schemas.ts'

export const listLocalPrincipals = operation({
  id: 'listLocalPrincipals',
  route: 'GET /api/admin/local-principals',
  summary: 'List all local principals',
  role: 'admin.manage',
  returns: ok(Type.Array(LocalPrincipalDto)),
  handle: ({ db }) => selectLocalPrincipals(db).orderBy('principals.id').execute(),
})
