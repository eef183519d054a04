import { noContent, operation } from '../../../platform/operation.ts'
import { confirmClaim } from '../confirm-claim.ts'
import { ambiguousClaim, computerNotClaimed, quarantinedAgentNotFound } from './problems.ts'
import { Confirmation, QuarantinedAgentPath } from './schemas.ts'

export const confirmQuarantinedAgent = operation({
  id: 'confirmQuarantinedAgent',
  route: 'POST /api/quarantined-agents/:id/confirmation',
  summary: 'Confirm that an agent in quarantine runs on its computer',
  description:
    'The agent becomes the agent of the computer with the credential that it has, and gets its work at its next contact. A previous agent of the computer is shut out, and others that claim it are rejected. If several computers match the agent equally, the body names the one on which it runs.',
  role: 'admin.manage',
  params: QuarantinedAgentPath,
  body: Confirmation,
  bodyOptional: true,
  returns: noContent,
  problems: [quarantinedAgentNotFound, ambiguousClaim, computerNotClaimed],
  extension: true,
  handle: ({ params: { id }, body, db }) => confirmClaim(db, id, body?.clientId ?? null),
})
