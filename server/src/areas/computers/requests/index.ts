import type { AnyOperation } from '../../../platform/operation.ts'
import { cancelSoftwareReinstall } from './cancel-software-reinstall.ts'
import { listSoftwareReinstalls } from './list-software-reinstalls.ts'
import { rebootComputer } from './reboot-computer.ts'
import { requestSoftwareReinstall } from './request-software-reinstall.ts'
import { rescanComputer } from './rescan-computer.ts'

export const computerRequests: readonly AnyOperation[] = [
  requestSoftwareReinstall,
  listSoftwareReinstalls,
  cancelSoftwareReinstall,
  rescanComputer,
  rebootComputer,
]
