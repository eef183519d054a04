import { problem } from '../../../platform/problem.ts'

export const computerGone = problem('ComputerNotFound', 404, 'The computer was deleted.', {
  constraint: 'patch_scans_computer_id_fkey',
})
