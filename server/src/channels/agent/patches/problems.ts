import { problem } from '../../../platform/problem.ts'

export const patchScanOfDeletedComputer = problem('ComputerNotFound', 404, 'The computer has been deleted.', {
  constraint: 'patch_scans_computer_id_fkey',
})
