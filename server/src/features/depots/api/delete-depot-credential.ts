import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Id } from '../../../platform/schema.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { endDepotCredentials } from '../depot-credentials.ts'
import { notADepot, requireDepot } from '../depot-servers.ts'
import { depotCredentialNotFound } from './problems.ts'

export const deleteDepotCredential = operation({
  id: 'deleteDepotCredential',
  route: 'DELETE /api/depots/:clientId/credential',
  summary: 'Revoke the credential of a depot server',
  description:
    'The depot can no longer synchronise. It keeps the packages that it already has and continues to serve them.',
  role: 'admin.manage',
  params: closed({ clientId: Id }),
  returns: noContent,
  problems: [computerNotFound, notADepot, depotCredentialNotFound],
  extension: true,
  async handle({ params, db }) {
    if ((await endDepotCredentials(db, [params.clientId])).length > 0) return
    await requireDepot(db, params.clientId)
    throw depotCredentialNotFound(params)
  },
})
