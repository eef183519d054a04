import { failedDeployment } from '../../../domain/issues/failed-deployment.ts'
import { issueSweep } from './issue-sweep.ts'

export const listFailedDeploymentComputers = issueSweep(failedDeployment, {
  id: 'listFailedDeploymentComputers',
  item: 'FailedDeploymentComputer',
  summary: 'List computers on which the last work on a package failed',
})
