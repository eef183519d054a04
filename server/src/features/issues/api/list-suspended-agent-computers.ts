import { agentSuspended } from '../agent-suspended.ts'
import { issueSweep } from '../issue-sweep.ts'

export const listSuspendedAgentComputers = issueSweep(agentSuspended, {
  id: 'listSuspendedAgentComputers',
  route: 'GET /api/computer/issues/agent-suspended',
  item: 'SuspendedAgentComputer',
  summary: 'List computers whose agents are suspended',
})
