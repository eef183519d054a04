import { pendingReboot } from '../../../domain/issues/pending-reboot.ts'
import { issueSweep } from './issue-sweep.ts'

export const listPendingRebootComputers = issueSweep(pendingReboot, {
  id: 'listPendingRebootComputers',
  route: 'GET /api/computer/issues/pending-reboot',
  item: 'PendingRebootComputer',
  summary: 'List computers whose agents say that a reboot is needed',
})
