import { issueSweep } from '../issue-sweep.ts'
import { pendingReboot } from '../pending-reboot.ts'

export const listPendingRebootComputers = issueSweep(pendingReboot, {
  id: 'listPendingRebootComputers',
  route: 'GET /api/computer/issues/pending-reboot',
  item: 'PendingRebootComputer',
  summary: 'List computers whose agents say that a reboot is needed',
})
