import { problem } from '../../../../platform/problem.ts'

export const reinstallGroupNotFound = problem(
  'ReinstallGroupNotFound',
  404,
  'The computer has no pending reinstall with this group. It may have ended or been cancelled.',
)

export const scanPackageNotAssigned = problem(
  'ScanPackageNotAssigned',
  409,
  'No package for scans of this type is assigned to the computer. Assign one to a group of the computer first.',
)
