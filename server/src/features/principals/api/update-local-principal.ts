import { ok, operation } from '../../../platform/operation.ts'
import { lastAdministrator, replaceRoles, requireAdministrator } from '../principals.ts'
import { requireLocalPrincipal } from '../read-principals.ts'
import { getLocalPrincipal } from './get-local-principal.ts'
import { principalNotFound } from './problems.ts'
import { LocalPrincipalDto, PrincipalPath, UpdateLocalPrincipalRequest } from './schemas.ts'

export const updateLocalPrincipal = operation({
  id: 'updateLocalPrincipal',
  route: 'PUT /api/admin/local-principals/:id',
  summary: 'Replace the description, expiry and roles of a local principal',
  description:
    'Replaces all three; roles that are not listed are removed. Changes take effect with the next request of the principal, even with existing access tokens. The last active local administrator must keep admin.manage.',
  role: 'admin.manage',
  params: PrincipalPath,
  body: UpdateLocalPrincipalRequest,
  returns: ok(LocalPrincipalDto),
  problems: [principalNotFound, lastAdministrator],
  changes: getLocalPrincipal,
  async handle({ params, body, db }) {
    const updated = await db
      .updateTable('local_principals')
      .set({ description: body.description, expires_at: body.expiresAtUtc })
      .where('principal_id', '=', params.id)
      .returning('principal_id')
      .executeTakeFirst()
    if (!updated) throw principalNotFound({ principalId: params.id })
    await replaceRoles(db, params.id, body.roles)
    await requireAdministrator(db)
    return requireLocalPrincipal(db, params.id)
  },
})
