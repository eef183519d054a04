import { problem } from '../../../platform/problem.ts'

export const eventPositionUnavailable = problem(
  'EventPositionUnavailable',
  410,
  'The log no longer has the events after this position, or a restore has replaced it. Read everything again, then continue after latestPosition. The property oldestPosition is the first one in the log.',
)
