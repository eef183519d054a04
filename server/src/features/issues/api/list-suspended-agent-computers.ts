import { agentSuspended } from '../agent-suspended.ts'
import { issueSweep } from '../issue-sweep.ts'

export const listSuspendedAgentComputers = issueSweep(agentSuspended, {
  id: 'listSuspendedAgentComputers',
  route: 'GET /api/computer/issues/agent-suspended',
  item: 'SuspendedAgentComputer',
  summary: 'List computers whose agents are suspended',
  description:
    'Reports agents that have reported a suspension which has not ended yet. A suspension without an end is reported until ' +
    'the agent reports that it is over.',
})
