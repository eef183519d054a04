import { problem } from '../../platform/problem.ts'

export const workNotFound = problem('WorkNotFound', 404, 'The agent has never had a work item with this id.')

export const workNotLeased = problem(
  'WorkNotHeld',
  409,
  'This attempt of the work item is not leased to the agent. Make contact to get the current work.',
)

export const notPostponable = problem(
  'NotPostponable',
  409,
  'The user may not postpone the work item any more, or not until this time.',
)

export const patchScanOfDeletedComputer = problem('ComputerNotFound', 404, 'The computer has been deleted.', {
  constraint: 'patch_scans_computer_id_fkey',
})
