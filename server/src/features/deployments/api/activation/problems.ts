import { problem } from '../../../../platform/problem.ts'

export const packageNotInstalled = problem('PackageNotInstalled', 409, 'The package is not installed on the computer.')

export const uninstallAlreadyPending = problem(
  'UninstallAlreadyPending',
  409,
  'The uninstall of the package is already pending on the computer.',
)
