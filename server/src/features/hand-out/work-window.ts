import { type DistributionWindow, parseSchedule, windowAt } from '../distribution/schedule.ts'
import type { WorkFacts } from './work-facts.ts'

type Windowed = Pick<WorkFacts, 'schedule' | 'window_ends_at'>

export function hasWindowEnded({ window_ends_at }: Windowed, at: Date): boolean {
  return window_ends_at !== null && window_ends_at <= at
}

/**
 * The window of a work item that is due at the given time: the rest of its current window, or the next one. Null if no
 * window opens any more; the work then waits until its options change.
 */
export function windowOf(item: Windowed, at: Date): DistributionWindow | null {
  if (!hasWindowEnded(item, at)) return { start: at, end: item.window_ends_at }
  return windowAt(parseSchedule(item.schedule), at)
}
