import type { WorkDeadline } from '../protocol.ts'

/** When the quiet hours end in which this time is, by the clock of this computer; null if it is not in any. */
export function findQuietEnd(quietHours: WorkDeadline['quietHours'], now: Date): Date | null {
  if (!quietHours) return null
  const { start, end } = quietHours
  const today = toText(now)
  const isOverMidnight = end < start
  const isQuiet = isOverMidnight ? today >= start || today < end : today >= start && today < end
  if (!isQuiet) return null
  const [hours = 0, minutes = 0] = end.split(':').map(Number)
  const isTomorrow = isOverMidnight && today >= start
  // The constructor chooses the time after a skipped hour, and the first of two that are equal.
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + (isTomorrow ? 1 : 0), hours, minutes)
}

const toText = (at: Date) => [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
