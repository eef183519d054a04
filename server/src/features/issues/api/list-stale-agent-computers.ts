import { issueSweep } from '../issue-sweep.ts'
import { staleAgent } from '../stale-agent.ts'

export const listStaleAgentComputers = issueSweep(staleAgent, {
  id: 'listStaleAgentComputers',
  route: 'GET /api/computer/issues/stale-agent',
  item: 'StaleAgentComputer',
  summary: 'List computers whose agents have stopped to contact the server',
  description: 'A computer of which no agent was ever heard is not listed.',
})
