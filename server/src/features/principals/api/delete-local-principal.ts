import { okEmpty, operation } from '../../../platform/operation.ts'
import { lastAdministrator, requireAdministrator } from '../principals.ts'
import { deletePrincipalOfKind } from '../read-principals.ts'
import { getLocalPrincipal } from './get-local-principal.ts'
import { principalNotFound, protectedPrincipal } from './problems.ts'
import { ForceQuery, PrincipalPath } from './schemas.ts'

export const deleteLocalPrincipal = operation({
  id: 'deleteLocalPrincipal',
  route: 'DELETE /api/admin/local-principals/:id',
  summary: 'Delete a local principal',
  description:
    'Deletes its roles, sessions, webhooks and waiting approvals with it; its access tokens are refused from the next request on. A protected principal requires `force=true`. The last active local administrator cannot be deleted. To keep the principal, revoke it instead.',
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
