import { problem } from '../../../../platform/problem.ts'

export const packageAssignedThroughClass = problem(
  'PackageNotAssigned',
  409,
  'The package is assigned through a software class and has no distribution options of its own. Assign the package itself.',
)

export const packageNotInstalled = problem('PackageNotInstalled', 409, 'The package is not installed on the computer.')

export const uninstallAlreadyPending = problem(
  'UninstallAlreadyPending',
  409,
  'The distribution options of the package already say Uninstall. Activate the computer to publish them.',
)
