import { issueSweep } from '../issue-sweep.ts'
import { staleAgent } from '../stale-agent.ts'

export const listStaleAgentComputers = issueSweep(staleAgent, {
  id: 'listStaleAgentComputers',
  route: 'GET /api/computer/issues/stale-agent',
  item: 'StaleAgentComputer',
  summary: 'List computers whose agents have stopped contacting the server',
  description:
    'Reports agents whose last contact was at least 24 hours ago, or `minHoursStale` hours. Computers whose agents have ' +
    'never contacted the server are not listed.',
})
