import { problem } from '../../platform/problem.ts'

export const packageTrialNotFound = problem('PackageTrialNotFound', 404, 'No trial of a package has this id.')

export const packageNotTriable = problem(
  'PackageNotTriable',
  409,
  'Only software can be tried: not scans, fixes and templates, what runs before the operating system, or the agent itself.',
)

export const computerCannotTry = problem(
  'ComputerCannotTry',
  409,
  'No agent of Muster is enrolled on the computer. Choose a computer with one.',
)

export const packageAssignedToComputer = problem(
  'PackageAssignedToComputer',
  409,
  'The package, another version of it, or one that it supersedes is assigned to the computer, and the trial would remove it. Choose another computer.',
)

export const packageInstalledOnComputer = problem(
  'PackageInstalledOnComputer',
  409,
  'The package, another version of it, or one that it supersedes is installed on the computer, and the trial would remove it. Choose another computer.',
)

export const packageTrialPending = problem(
  'PackageTrialPending',
  409,
  'Other work with the package is open on the computer: wait for its end, or cancel the trial.',
  { constraint: 'work_open_package_key' },
)

export const packageTrialEnded = problem('PackageTrialEnded', 409, 'The trial has ended, so it cannot be cancelled.')
