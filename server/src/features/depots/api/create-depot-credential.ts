import { created, operation } from '../../../platform/operation.ts'
import { closed, Id, Type } from '../../../platform/schema.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { replaceDepotCredential } from '../depot-credentials.ts'
import { notADepot, pinDepotRole } from '../depot-servers.ts'
import { masterServer } from './problems.ts'

export const createDepotCredential = operation({
  id: 'createDepotCredential',
  route: 'POST /api/depots/:clientId/credential',
  summary: 'Give a depot server a credential for its synchronisation, and show it, once',
  description: 'A credential that the depot had before is no longer valid.',
  role: 'admin.manage',
  params: closed({ clientId: Id }),
  returns: created(
    closed(
      {
        clientId: Id,
        credential: Type.String({
          examples: ['the-credential-is-shown-here-once'],
          description: 'Value of MUSTER_DEPOT_CREDENTIAL on the depot. It cannot be read again.',
        }),
      },
      { title: 'DepotCredential' },
    ),
  ),
  problems: [computerNotFound, notADepot, masterServer],
  extension: true,
  async handle({ params, db, services }) {
    if ((await pinDepotRole(db, params.clientId)) === 'MasterServer') throw masterServer(params)
    return { clientId: params.clientId, credential: await replaceDepotCredential(db, services.keys, params.clientId) }
  },
})
