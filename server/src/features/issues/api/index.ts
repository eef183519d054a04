import type { AnyOperation } from '../../../platform/operation.ts'
import { getComputerHealth } from './get-computer-health.ts'
import { getComputerIssues } from './get-computer-issues.ts'
import { getFleetStatistics } from './get-fleet-statistics.ts'
import { listDriftedSoftwareComputers } from './list-drifted-software-computers.ts'
import { listFailedDeploymentComputers } from './list-failed-deployment-computers.ts'
import { listIssueOverview } from './list-issue-overview.ts'
import { listLowDiskComputers } from './list-low-disk-computers.ts'
import { listMissingPatchComputers } from './list-missing-patch-computers.ts'
import { listPendingRebootComputers } from './list-pending-reboot-computers.ts'
import { listSharedFailureDevices } from './list-shared-failure-devices.ts'
import { listSharedPackageFailures } from './list-shared-package-failures.ts'
import { listStaleAgentComputers } from './list-stale-agent-computers.ts'
import { listStaleDeploymentComputers } from './list-stale-deployment-computers.ts'
import { listStaleInventoryComputers } from './list-stale-inventory-computers.ts'
import { listSuspendedAgentComputers } from './list-suspended-agent-computers.ts'
import { listUnencryptedComputers } from './list-unencrypted-computers.ts'
import { listWornBatteryComputers } from './list-worn-battery-computers.ts'

export const issuesApi: readonly AnyOperation[] = [
  listLowDiskComputers,
  listWornBatteryComputers,
  listUnencryptedComputers,
  listPendingRebootComputers,
  listFailedDeploymentComputers,
  listSharedPackageFailures,
  listSharedFailureDevices,
  listMissingPatchComputers,
  listStaleAgentComputers,
  listStaleInventoryComputers,
  listStaleDeploymentComputers,
  listSuspendedAgentComputers,
  listDriftedSoftwareComputers,
  listIssueOverview,
  getComputerIssues,
  getComputerHealth,
  getFleetStatistics,
]
