import { failedDeployment } from '../failed-deployment.ts'
import { issueSweep } from '../issue-sweep.ts'

export const listFailedDeploymentComputers = issueSweep(failedDeployment, {
  id: 'listFailedDeploymentComputers',
  route: 'GET /api/computer/issues/failed-deployment',
  item: 'FailedDeploymentComputer',
  summary: 'List computers with failed deployments',
  description:
    'Reports packages whose last deployment on the computer failed. A package that is pending again does not count. ' +
    '`minFailedCount` is the number of failed packages from which a computer is listed; the default is 1.',
})
