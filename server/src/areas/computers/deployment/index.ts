import type { AnyOperation } from '../../../platform/operation.ts'
import { getComputerHealth } from './get-computer-health.ts'
import { getRebootStatus } from './get-reboot-status.ts'
import { getUemAgent } from './get-uem-agent.ts'
import { listDistributionHistory } from './list-distribution-history.ts'
import { listSetupErrorLog } from './list-setup-error-log.ts'
import { listSoftwareDeployments } from './list-software-deployments.ts'
import { searchDistributionHistory } from './search-distribution-history.ts'

export const computerDeployment: readonly AnyOperation[] = [
  searchDistributionHistory,
  listSoftwareDeployments,
  listSetupErrorLog,
  listDistributionHistory,
  getUemAgent,
  getComputerHealth,
  getRebootStatus,
]
