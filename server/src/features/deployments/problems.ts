import { problem } from '../../platform/problem.ts'

export const packageNotAssignedToComputer = problem(
  'PackageNotAssigned',
  409,
  'No group of the computer, and none above, has the package assigned.',
)

export const reinstallAlreadyPending = problem(
  'ReinstallAlreadyPending',
  409,
  'A reinstall of the package is pending on the computer.',
  { constraint: 'reinstall_groups_computer_id_package_id_key' },
)

export const computerNotGroupAssigned = problem('ComputerNotGroupAssigned', 409, 'The computer is in no group.')

export const fileNotHanded = problem('FileNotHanded', 404, 'The agent has no work with such a file.')
