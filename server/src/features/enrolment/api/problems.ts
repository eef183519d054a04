import { problem } from '../../../platform/problem.ts'

export const enrolmentTokenNotFound = problem('EnrolmentTokenNotFound', 404, 'No enrolment token has this id.')

export const agentNotFound = problem('AgentNotFound', 404, 'The computer has no agent.')

export const ambiguousClaim = problem(
  'AmbiguousClaim',
  409,
  'Several computers match this agent equally. Name the one on which it runs as clientId.',
)

export const computerNotClaimed = problem('ComputerNotClaimed', 409, 'The agent does not match this computer.')

export const quarantinedAgentNotFound = problem('QuarantinedAgentNotFound', 404, 'No agent in quarantine has this id.')
