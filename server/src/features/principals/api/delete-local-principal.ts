import { okEmpty, operation } from '../../../platform/operation.ts'
import { lastAdministrator, requireAdministrator } from '../principals.ts'
import { deletePrincipalOfKind } from '../queries.ts'
import { getLocalPrincipal } from './get-local-principal.ts'
import { principalNotFound, protectedPrincipal } from './problems.ts'
import { ForceQuery, PrincipalPath } from './schemas.ts'

export const deleteLocalPrincipal = operation({
  id: 'deleteLocalPrincipal',
  route: 'DELETE /api/admin/local-principals/:id',
  summary: 'Delete a local principal for good, with its roles',
  role: 'admin.manage',
  params: PrincipalPath,
  query: ForceQuery,
  returns: okEmpty,
  problems: [principalNotFound, protectedPrincipal, lastAdministrator],
  changes: getLocalPrincipal,
  async handle({ params, query, db }) {
    await deletePrincipalOfKind(db, params.id, ['local'], query.force)
    await requireAdministrator(db)
  },
})
