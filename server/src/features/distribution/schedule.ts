import { CronExpressionParser } from 'cron-parser'
import { parseInstant } from '../../platform/validation.ts'

/** When distribution may begin. Without a cron pattern: from `from` to `until`, of which either may be missing. */
export type Schedule = {
  from: Date | null
  until: Date | null
  /** Opens a window at each time that matches, in the time zone. */
  cron: string | null
  timeZone: string | null
  durationMinutes: number | null
}

export const noSchedule: Schedule = { from: null, until: null, cron: null, timeZone: null, durationMinutes: null }

export const shortestWindow = 5
export const longestWindow = 1440

/** Says in a sentence about the schedule what is wrong with it. */
export class ScheduleError extends Error {
  override name = 'ScheduleError'
}

const parts = ['FROM', 'UNTIL', 'CRON', 'TZ', 'DURATION'] as const

type Part = (typeof parts)[number]

/** Reads `CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180;FROM=2026-03-01T00:00:00Z`. An empty text is no schedule. */
export function parseSchedule(text: string): Schedule {
  const values = new Map<Part, string>()
  for (const item of text.split(';').filter((item) => item.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(item) ?? []
    const part = parts.find((known) => known === name.toUpperCase())
    if (!part || value === '') throw new ScheduleError(`must consist of ${parts.join(', ')}, each with = and a value`)
    if (values.has(part)) throw new ScheduleError(`has ${part} twice`)
    values.set(part, value)
  }
  return checkedSchedule({
    from: instant('FROM', values.get('FROM')),
    until: instant('UNTIL', values.get('UNTIL')),
    cron: values.get('CRON') ?? null,
    timeZone: values.get('TZ') ?? null,
    durationMinutes: minutes(values.get('DURATION')),
  })
}

/** The text that `parseSchedule` reads as this schedule. */
export function formatSchedule({ from, until, cron, timeZone, durationMinutes }: Schedule): string {
  const values: [Part, string | number | null | undefined][] = [
    ['CRON', cron],
    ['TZ', timeZone],
    ['DURATION', durationMinutes],
    ['FROM', from?.toISOString()],
    ['UNTIL', until?.toISOString()],
  ]
  return values.flatMap(([part, value]) => (value == null ? [] : `${part}=${value}`)).join(';')
}

/** The schedule with its time zone and pattern in their usual spelling; throws where it makes no sense. */
export function checkedSchedule(schedule: Schedule): Schedule {
  const { from, until, cron, durationMinutes } = schedule
  if (from && until && from >= until) throw new ScheduleError('must begin before it ends')
  if (cron === null) {
    if (schedule.timeZone !== null || durationMinutes !== null)
      throw new ScheduleError('needs a cron pattern for a time zone or a duration')
    return schedule
  }
  if (durationMinutes === null) throw new ScheduleError('needs the duration of the windows that its cron pattern opens')
  if (durationMinutes < shortestWindow || durationMinutes > longestWindow)
    throw new ScheduleError(`must have windows of ${shortestWindow} to ${longestWindow} minutes`)
  const checked = { ...schedule, cron: pattern(cron), timeZone: zone(schedule.timeZone ?? 'UTC') }
  if (from && until && nextStart(checked, from) === null) throw new ScheduleError('opens no window before it ends')
  return checked
}

/** When the schedule next opens, at the given time or later; null if it does not any more, or was never closed. */
export function nextStart({ from, until, cron, timeZone }: Schedule, at: Date): Date | null {
  const earliest = from && from > at ? from : at
  if (cron === null) return from === earliest ? from : null
  // The parser looks for later times only, and the pattern has no seconds.
  const start = occurrences(cron, timeZone, earliest.getTime() - 1)
    .next()
    .toDate()
  return until && start >= until ? null : start
}

/** A time in which distribution may begin; without an end where the schedule has none. */
export type Window = { start: Date; end: Date | null }

/** The window that is open at the given time, from then on, or else the next one; null if none opens any more. */
export function windowAt(schedule: Schedule, at: Date): Window | null {
  const { from, until, durationMinutes } = schedule
  const endingBy = (end: Date | null) => (until && (!end || until < end) ? until : end)
  if (durationMinutes === null) {
    if (until && until <= at) return null
    return { start: from && from > at ? from : at, end: endingBy(null) }
  }
  const duration = durationMinutes * 60_000
  const opening = nextStart(schedule, new Date(at.getTime() - duration + 1))
  if (!opening) return null
  const end = endingBy(new Date(opening.getTime() + duration))
  return end && end <= at ? null : { start: opening > at ? opening : at, end }
}

function occurrences(cron: string, timeZone: string | null, after: number) {
  return CronExpressionParser.parse(cron, { tz: timeZone ?? 'UTC', currentDate: new Date(after) })
}

// An H, of which the parser would make a random number, is not among them.
const isPlain = (field: string) => /^[\dA-Z*,/#-]+$/.test(field) && !/\bH\b/.test(field)

function pattern(cron: string): string {
  const fields = cron.trim().toUpperCase().split(/\s+/)
  if (fields.length !== 5 || !fields.every(isPlain))
    throw new ScheduleError('must have a cron pattern of five fields: minute, hour, day of month, month, day of week')
  const spelt = fields.join(' ')
  try {
    occurrences(spelt, 'UTC', 0).next()
    return spelt
  } catch (error) {
    throw new ScheduleError(`has a cron pattern that cannot be: ${(error as Error).message}`)
  }
}

function zone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    throw new ScheduleError('must have a time zone of the IANA database, such as Europe/Berlin')
  }
}

function instant(part: Part, text: string | undefined): Date | null {
  if (text === undefined) return null
  const found = parseInstant(text)
  if (!found) throw new ScheduleError(`must have an ISO 8601 date-time for ${part}`)
  return found
}

function minutes(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,4}$/.test(text)) throw new ScheduleError('must have a whole number of minutes for DURATION')
  return Number(text)
}
