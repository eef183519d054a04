import { bitlockerOff } from '../bitlocker-off.ts'
import { issueSweep } from '../issue-sweep.ts'

export const listUnencryptedComputers = issueSweep(bitlockerOff, {
  id: 'listUnencryptedComputers',
  route: 'GET /api/computer/issues/bitlocker-off',
  item: 'UnencryptedComputer',
  summary: 'List Windows computers with unencrypted fixed drives',
  description:
    'Reports fixed drives whose BitLocker status in the last inventory is `Unencrypted`. Drives with an unknown status and ' +
    'computers with another operating system are not reported.',
})
