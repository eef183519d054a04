import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { selectSecrets } from '../principal-secrets.ts'
import { requireLocalPrincipal } from '../read-principals.ts'
import { principalNotFound } from './problems.ts'
import { PrincipalPath, PrincipalSecret } from './schemas.ts'

export const listLocalPrincipalSecrets = operation({
  id: 'listLocalPrincipalSecrets',
  route: 'GET /api/admin/local-principals/:id/secrets',
  summary: 'List the valid secrets of a local principal, newest first',
  description: 'Shows when each of them was created, ends and was last used. The secrets themselves cannot be read.',
  role: 'admin.manage',
  extension: true,
  params: PrincipalPath,
  returns: ok(Type.Array(PrincipalSecret)),
  problems: [principalNotFound],
  async handle({ params, db }) {
    await requireLocalPrincipal(db, params.id)
    return selectSecrets(db, params.id).execute()
  },
})
