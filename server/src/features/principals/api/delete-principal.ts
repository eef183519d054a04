import { okEmpty, operation } from '../../../platform/operation.ts'
import { deletePrincipalOfKind } from '../queries.ts'
import { getPrincipal } from './get-principal.ts'
import { principalNotFound, protectedPrincipal } from './problems.ts'
import { ForceQuery, PrincipalPath } from './schemas.ts'

export const deletePrincipal = operation({
  id: 'deletePrincipal',
  route: 'DELETE /api/admin/principals/:id',
  summary: 'Delete a principal of an identity provider, with its roles',
  role: 'admin.manage',
  params: PrincipalPath,
  query: ForceQuery,
  returns: okEmpty,
  problems: [principalNotFound, protectedPrincipal],
  changes: getPrincipal,
  handle: ({ params, query, db }) => deletePrincipalOfKind(db, params.id, ['client', 'user'], query.force),
})
