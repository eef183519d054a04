import { problem } from '../../platform/problem.ts'

export const packageNotAssignedToComputer = problem(
  'PackageNotAssigned',
  409,
  'The package is not assigned to the computer. Assign it to a group of the computer first.',
)

export const packageNotApplicable = problem(
  'PackageNotApplicable',
  409,
  'The computer has an operating system or architecture that the package is not for.',
)

export const reinstallAlreadyPending = problem(
  'ReinstallAlreadyPending',
  409,
  'A reinstall of the package is already pending on the computer.',
  { constraint: 'reinstall_groups_computer_id_package_id_key' },
)

export const computerNotGroupAssigned = problem(
  'ComputerNotGroupAssigned',
  409,
  'The computer is in no group. Add it to a group first.',
)

export const fileNotHanded = problem('FileNotHanded', 404, 'The agent has not leased any work with this file.')
