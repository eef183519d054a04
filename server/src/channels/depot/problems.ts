import { problem } from '../../platform/problem.ts'

export const syncJobNotRunning = problem('SyncJobNotRunning', 409, 'This depot has no running job with this id.')

export const packageNotWanted = problem(
  'PackageNotWanted',
  404,
  'This depot does not need the package, or the package has no such file.',
)
