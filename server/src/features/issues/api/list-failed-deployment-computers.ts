import { failedDeployment } from '../failed-deployment.ts'
import { issueSweep } from '../issue-sweep.ts'

export const listFailedDeploymentComputers = issueSweep(failedDeployment, {
  id: 'listFailedDeploymentComputers',
  route: 'GET /api/computer/issues/failed-deployment',
  item: 'FailedDeploymentComputer',
  summary: 'List computers on which the last work on a package failed',
})
