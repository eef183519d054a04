import { okEmpty, operation } from '../../../platform/operation.ts'
import { deletePrincipalOfKind } from '../read-principals.ts'
import { getPrincipal } from './get-principal.ts'
import { principalNotFound, protectedPrincipal } from './problems.ts'
import { ForceQuery, PrincipalPath } from './schemas.ts'

export const deletePrincipal = operation({
  id: 'deletePrincipal',
  route: 'DELETE /api/admin/principals/:id',
  summary: 'Delete a principal of an identity provider',
  description:
    'Deletes its roles, sessions, webhooks and waiting approvals with it; its access tokens are refused from the next request on. A protected principal requires `force=true`. The account at the identity provider is not changed.',
  role: 'admin.manage',
  params: PrincipalPath,
  query: ForceQuery,
  returns: okEmpty,
  problems: [principalNotFound, protectedPrincipal],
  changes: getPrincipal,
  handle: ({ params, query, db }) => deletePrincipalOfKind(db, params.id, ['client', 'user'], query.force),
})
