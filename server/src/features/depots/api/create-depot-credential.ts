import { created, operation } from '../../../platform/operation.ts'
import { closed, Id, Type } from '../../../platform/schema.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { replaceDepotCredential } from '../depot-credentials.ts'
import { notADepot, pinDepotRole } from '../depot-servers.ts'
import { masterServerNotSynchronised } from './problems.ts'

export const createDepotCredential = operation({
  id: 'createDepotCredential',
  route: 'POST /api/depots/:clientId/credential',
  summary: 'Create the credential of a depot server',
  description:
    'The depot program authenticates with it at the depot channel. It is shown only in this answer. The previous ' +
    'credential of the depot becomes invalid at once. Answers 409 for the master server, which needs none.',
  role: 'admin.manage',
  params: closed({ clientId: Id }),
  returns: created(
    closed(
      {
        clientId: Id,
        credential: Type.String({
          examples: ['the-credential-is-shown-here-once'],
          description: 'The value of MUSTER_DEPOT_CREDENTIAL for the depot program. It cannot be read again.',
        }),
      },
      { title: 'DepotCredential' },
    ),
  ),
  problems: [computerNotFound, notADepot, masterServerNotSynchronised],
  extension: true,
  async handle({ params, db, services }) {
    if ((await pinDepotRole(db, params.clientId)) === 'MasterServer') throw masterServerNotSynchronised(params)
    return { clientId: params.clientId, credential: await replaceDepotCredential(db, services.keys, params.clientId) }
  },
})
