import { issueSweep } from '../issue-sweep.ts'
import { pendingReboot } from '../pending-reboot.ts'

export const listPendingRebootComputers = issueSweep(pendingReboot, {
  id: 'listPendingRebootComputers',
  route: 'GET /api/computer/issues/pending-reboot',
  item: 'PendingRebootComputer',
  summary: 'List computers that need a reboot',
  description:
    'Reports computers whose agents reported that a reboot is required. `minDaysSinceLastReboot` limits the list to ' +
    'computers that have been running for a while; with the default of 0, all are reported.',
})
