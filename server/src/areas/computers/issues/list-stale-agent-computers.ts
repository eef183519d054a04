import { staleAgent } from '../../../domain/issues/stale-agent.ts'
import { issueSweep } from './issue-sweep.ts'

export const listStaleAgentComputers = issueSweep(staleAgent, {
  id: 'listStaleAgentComputers',
  item: 'StaleAgentComputer',
  summary: 'List computers whose agents have stopped to contact the server',
  description: 'A computer of which no agent was ever heard is not listed.',
})
