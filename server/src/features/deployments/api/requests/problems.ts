import { problem } from '../../../../platform/problem.ts'

export const reinstallGroupNotFound = problem(
  'ReinstallGroupNotFound',
  404,
  'The computer has no pending reinstall with this group.',
)

export const scanPackageNotAssigned = problem(
  'ScanPackageNotAssigned',
  409,
  'No group of the computer, and none above, has a package for scans of this type assigned.',
)
