import { bitlockerOff } from '../bitlocker-off.ts'
import { issueSweep } from '../issue-sweep.ts'

export const listUnencryptedComputers = issueSweep(bitlockerOff, {
  id: 'listUnencryptedComputers',
  route: 'GET /api/computer/issues/bitlocker-off',
  item: 'UnencryptedComputer',
  summary: 'List Windows computers with fixed disks that are not encrypted',
})
