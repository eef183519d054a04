import { noContent, operation } from '../../../platform/operation.ts'
import { confirmClaim } from '../confirm-claim.ts'
import { quarantinedAgentNotFound } from './problems.ts'
import { QuarantinedAgentPath } from './schemas.ts'

export const confirmQuarantinedAgent = operation({
  id: 'confirmQuarantinedAgent',
  route: 'POST /api/quarantined-agents/:id/confirmation',
  summary: 'Confirm that an agent in quarantine runs on its computer',
  description:
    'The agent becomes the agent of the computer with the credential that it has, and gets its work at its next contact. A previous agent of the computer is shut out, and others that claim it are rejected.',
  role: 'admin.manage',
  params: QuarantinedAgentPath,
  returns: noContent,
  problems: [quarantinedAgentNotFound],
  extension: true,
  handle: ({ params: { id }, db }) => confirmClaim(db, id),
})
