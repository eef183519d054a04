import { problem } from '../../../platform/problem.ts'

export const enrolmentTokenNotFound = problem('EnrolmentTokenNotFound', 404, 'No enrolment token has this id.')

export const agentNotFound = problem('AgentNotFound', 404, 'The computer has no agent.')

export const quarantinedAgentNotFound = problem('QuarantinedAgentNotFound', 404, 'No agent in quarantine has this id.')
