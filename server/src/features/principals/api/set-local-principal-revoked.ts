import { ok, operation } from '../../../platform/operation.ts'
import { lastAdministrator, requireAdministrator } from '../principals.ts'
import { requireLocalPrincipal } from '../read-principals.ts'
import { getLocalPrincipal } from './get-local-principal.ts'
import { principalNotFound } from './problems.ts'
import { LocalPrincipalDto, PrincipalPath, SetRevokedRequest } from './schemas.ts'

export const setLocalPrincipalRevoked = operation({
  id: 'setLocalPrincipalRevoked',
  route: 'PATCH /api/admin/local-principals/:id/revoke',
  summary: 'Revoke or restore a local principal',
  description:
    'The access tokens of a revoked principal are refused from the next request on; after it is restored, unexpired ones are valid again. Its sessions and sign-in links end for good, its open event streams and exports end, its webhooks are paused until somebody continues them, its requests that wait for an approval are denied, and its jobs have no effect. The last active local administrator cannot be revoked.',
  role: 'admin.manage',
  params: PrincipalPath,
  body: SetRevokedRequest,
  returns: ok(LocalPrincipalDto),
  problems: [principalNotFound, lastAdministrator],
  changes: getLocalPrincipal,
  async handle({ params, body, db }) {
    const updated = await db
      .updateTable('local_principals')
      .set({ is_revoked: body.isRevoked })
      .where('principal_id', '=', params.id)
      .returning('principal_id')
      .executeTakeFirst()
    if (!updated) throw principalNotFound({ principalId: params.id })
    await requireAdministrator(db)
    return requireLocalPrincipal(db, params.id)
  },
})
