import { issueSweep } from '../issue-sweep.ts'
import { staleDeployment } from '../stale-deployment.ts'

export const listStaleDeploymentComputers = issueSweep(staleDeployment, {
  id: 'listStaleDeploymentComputers',
  route: 'GET /api/computer/issues/stale-deployment',
  item: 'StaleDeploymentComputer',
  summary: 'List computers that are online and have not begun with work that has long been due',
  description: 'Online means that the agent was heard of within 24 hours. Work that waits for its time is not late.',
})
