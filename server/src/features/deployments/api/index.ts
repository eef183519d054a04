import type { AnyOperation } from '../../../platform/operation.ts'
import { activateComputer } from './activation/activate-computer.ts'
import { deactivateComputer } from './activation/deactivate-computer.ts'
import { uninstallSoftware } from './activation/uninstall-software.ts'
import { activateGroup } from './group-activation/activate-group.ts'
import { deactivateGroup } from './group-activation/deactivate-group.ts'
import { listDistributionEvents } from './history/list-distribution-events.ts'
import { listDistributionHistory } from './history/list-distribution-history.ts'
import { listSetupErrorLog } from './history/list-setup-error-log.ts'
import { listSoftwareDeployments } from './history/list-software-deployments.ts'
import { searchDistributionHistory } from './history/search-distribution-history.ts'
import { getPackageStatus } from './package-status/get-package-status.ts'
import { cancelSoftwareReinstall } from './requests/cancel-software-reinstall.ts'
import { listSoftwareReinstalls } from './requests/list-software-reinstalls.ts'
import { rebootComputer } from './requests/reboot-computer.ts'
import { requestSoftwareReinstall } from './requests/request-software-reinstall.ts'
import { rescanComputer } from './requests/rescan-computer.ts'
import { retryPackage } from './retry/retry-package.ts'
import { activateComputers } from './selection/activate-computers.ts'
import { cancelUninstallOnComputers } from './selection/cancel-uninstall-on-computers.ts'
import { installOnComputers } from './selection/install-on-computers.ts'
import { rebootComputers } from './selection/reboot-computers.ts'
import { rescanComputers } from './selection/rescan-computers.ts'
import { uninstallOnComputers } from './selection/uninstall-on-computers.ts'
import { getTask } from './tasks/get-task.ts'
import { listTasks } from './tasks/list-tasks.ts'
import { retryTask } from './tasks/retry-task.ts'

export const deploymentsApi: readonly AnyOperation[] = [
  activateComputer,
  deactivateComputer,
  uninstallSoftware,
  requestSoftwareReinstall,
  listSoftwareReinstalls,
  cancelSoftwareReinstall,
  rescanComputer,
  rebootComputer,
  activateComputers,
  rescanComputers,
  rebootComputers,
  installOnComputers,
  uninstallOnComputers,
  cancelUninstallOnComputers,
  searchDistributionHistory,
  listDistributionEvents,
  listSoftwareDeployments,
  listSetupErrorLog,
  listDistributionHistory,
  activateGroup,
  deactivateGroup,
  getPackageStatus,
  retryPackage,
  listTasks,
  getTask,
  retryTask,
]
