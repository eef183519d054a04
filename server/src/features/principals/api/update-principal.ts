import { ok, operation } from '../../../platform/operation.ts'
import { replaceRoles } from '../principals.ts'
import { requireIdentityPrincipal } from '../read-principals.ts'
import { getPrincipal } from './get-principal.ts'
import { duplicatePrincipal, principalNotFound } from './problems.ts'
import { PrincipalDto, PrincipalPath, UpdatePrincipalRequest } from './schemas.ts'

export const updatePrincipal = operation({
  id: 'updatePrincipal',
  route: 'PUT /api/admin/principals/:id',
  summary: 'Replace the display name, issuer and roles of a principal of an identity provider',
  description:
    'Replaces all three; roles that are not listed are removed. Changes take effect with the next request of the principal, even with existing access tokens.',
  role: 'admin.manage',
  params: PrincipalPath,
  body: UpdatePrincipalRequest,
  returns: ok(PrincipalDto),
  problems: [principalNotFound, duplicatePrincipal],
  changes: getPrincipal,
  async handle({ params, body, db }) {
    const updated = await db
      .updateTable('identity_principals')
      .set({ display_name: body.displayName, issuer: body.issuer })
      .where('principal_id', '=', params.id)
      .returning('principal_id')
      .executeTakeFirst()
    if (!updated) throw principalNotFound({ principalId: params.id })
    await replaceRoles(db, params.id, body.roles)
    return requireIdentityPrincipal(db, params.id)
  },
})
