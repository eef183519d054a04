import { normaliseSchedule, type Schedule, windowAt } from '../distribution/schedule.ts'

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** A period that repeats on days of the week, in local time. */
export type MaintenanceWindow = {
  days: readonly (typeof weekdays)[number][]
  /** Hours and minutes, such as 22:00. */
  start: string
  durationMinutes: number
}

export const fallbackTimeZone = 'UTC'

/** The time zone that a computer has reported, if the database of time zones has it. */
export function knownTimeZone(reported: string | null): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: reported ?? fallbackTimeZone }).resolvedOptions().timeZone
  } catch {
    return fallbackTimeZone
  }
}

/** Whether work may start now, or when the next window opens; null: in no window. */
export type WindowDecision = { isOpen: true; closesAt: Date | null } | { isOpen: false; opensAt: Date | null }

/**
 * Decides when work that may take as long as its time limit starts: in a window of which enough is left. A window that
 * begins in the hour that clocks skip begins after it; one in the hour that clocks repeat begins once.
 */
export function findWindow(
  windows: readonly MaintenanceWindow[],
  { timeZone, at, limitMinutes }: { timeZone: string; at: Date; limitMinutes: number },
): WindowDecision {
  if (windows.length === 0) return { isOpen: true, closesAt: null }
  const limitMs = limitMinutes * 60_000
  const openings = windows.flatMap((window) => {
    if (window.durationMinutes < limitMinutes) return []
    const schedule = toSchedule(window, timeZone)
    const current = windowAt(schedule, at)
    if (!current?.end) return []
    if (current.end.getTime() - current.start.getTime() >= limitMs) return [{ start: current.start, end: current.end }]
    const later = windowAt(schedule, current.end)
    return later?.end ? [{ start: later.start, end: later.end }] : []
  })
  const [first] = openings.toSorted((a, b) => a.start.getTime() - b.start.getTime())
  if (!first) return { isOpen: false, opensAt: null }
  return first.start <= at ? { isOpen: true, closesAt: first.end } : { isOpen: false, opensAt: first.start }
}

function toSchedule({ days, start, durationMinutes }: MaintenanceWindow, timeZone: string): Schedule {
  const [hours, minutes] = start.split(':').map(Number)
  // A cron pattern must not name a day twice, but a window may: it opens once on that day.
  const cron = `${minutes} ${hours} * * ${[...new Set(days)].join(',').toUpperCase()}`
  return normaliseSchedule({ from: null, until: null, cron, timeZone, durationMinutes })
}
