import { nextStart, parseSchedule } from './schedule.ts'

/** A time in which distribution may begin; without an end it stays open. */
export type Window = { opensAt: Date; endsAt: Date | null }

/** The window of a schedule that is open at the given time, or the next one; null when there is none any more. */
export function windowAt(scheduleText: string, at: Date): Window | null {
  const schedule = parseSchedule(scheduleText)
  const { from, until, durationMinutes } = schedule
  if (until && until <= at) return null
  if (schedule.cron === null) return { opensAt: from && from > at ? from : at, endsAt: until }
  const duration = (durationMinutes ?? 0) * 60_000
  // A window that opened less than its duration ago is still open.
  const opensAt = nextStart(schedule, new Date(at.getTime() - duration + 1))
  if (!opensAt) return null
  const endsAt = new Date(opensAt.getTime() + duration)
  return { opensAt, endsAt: until && until < endsAt ? until : endsAt }
}
