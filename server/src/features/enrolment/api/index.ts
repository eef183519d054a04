import type { AnyOperation } from '../../../platform/operation.ts'
import { allowComputerReEnrolment } from './allow-computer-re-enrolment.ts'
import { confirmQuarantinedAgent } from './confirm-quarantined-agent.ts'
import { createEnrolmentToken } from './create-enrolment-token.ts'
import { forbidComputerReEnrolment } from './forbid-computer-re-enrolment.ts'
import { listEnrolmentTokens } from './list-enrolment-tokens.ts'
import { listQuarantinedAgents } from './list-quarantined-agents.ts'
import { rejectQuarantinedAgent } from './reject-quarantined-agent.ts'
import { revokeAgentCredential } from './revoke-agent-credential.ts'
import { revokeEnrolmentToken } from './revoke-enrolment-token.ts'

export const enrolmentApi: readonly AnyOperation[] = [
  listEnrolmentTokens,
  createEnrolmentToken,
  revokeEnrolmentToken,
  allowComputerReEnrolment,
  forbidComputerReEnrolment,
  revokeAgentCredential,
  listQuarantinedAgents,
  confirmQuarantinedAgent,
  rejectQuarantinedAgent,
]
