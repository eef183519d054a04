import { okEmpty, operation } from '../../../platform/operation.ts'
import { deleteSecret, lastSecret, secretNotFound } from '../principal-secrets.ts'
import { lockLocalPrincipal } from '../read-principals.ts'
import { principalNotFound } from './problems.ts'
import { SecretPath } from './schemas.ts'

export const deleteLocalPrincipalSecret = operation({
  id: 'deleteLocalPrincipalSecret',
  route: 'DELETE /api/admin/local-principals/:id/secrets/:secretId',
  summary: 'Delete a secret of a local principal',
  description:
    'The secret is refused from the next request on, and the sessions that were opened with client id and secret end. Access tokens stay valid until they expire; revoke the principal to end them as well. If the remaining secrets were to end, the newest of them stays valid. The last secret cannot be deleted.',
  role: 'admin.manage',
  extension: true,
  params: SecretPath,
  returns: okEmpty,
  problems: [principalNotFound, secretNotFound, lastSecret],
  async handle({ params, db }) {
    await lockLocalPrincipal(db, params.id)
    await deleteSecret(db, params.id, params.secretId)
  },
})
