import { parseInstant } from '@muster/schema'
import { CronExpressionParser } from 'cron-parser'

/**
 * When distribution may begin. With a cron pattern, the pattern opens windows between `from` and `until`. Without one,
 * there is one window from `from` to `until`; either end may be open.
 */
export type Schedule = {
  from: Date | null
  until: Date | null
  /** Opens a window at each matching time in the time zone. */
  cron: string | null
  timeZone: string | null
  durationMinutes: number | null
}

export const noSchedule: Schedule = { from: null, until: null, cron: null, timeZone: null, durationMinutes: null }

export const minWindowMinutes = 5
export const maxWindowMinutes = 1440

/** The message completes a sentence that begins with the schedule. */
export class ScheduleError extends Error {
  override name = 'ScheduleError'
}

const parts = ['FROM', 'UNTIL', 'CRON', 'TZ', 'DURATION'] as const

type Part = (typeof parts)[number]

/** Reads `CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180;FROM=2026-03-01T00:00:00Z`. An empty text means no schedule. */
export function parseSchedule(text: string): Schedule {
  const values = new Map<Part, string>()
  for (const item of text.split(';').filter((item) => item.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(item) ?? []
    const part = parts.find((known) => known === name.toUpperCase())
    if (!part || value === '')
      throw new ScheduleError(`must consist of parts such as FROM=value, each one of ${parts.join(', ')}`)
    if (values.has(part)) throw new ScheduleError(`must not contain ${part} twice`)
    values.set(part, value)
  }
  return normaliseSchedule({
    from: parseInstantPart('FROM', values.get('FROM')),
    until: parseInstantPart('UNTIL', values.get('UNTIL')),
    cron: values.get('CRON') ?? null,
    timeZone: values.get('TZ') ?? null,
    durationMinutes: parseDuration(values.get('DURATION')),
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

/** The schedule with the canonical spelling of its pattern and time zone. Throws if the schedule is invalid. */
export function normaliseSchedule(schedule: Schedule): Schedule {
  const { from, until, cron, durationMinutes } = schedule
  if (from && until && from >= until) throw new ScheduleError('must start before it ends')
  if (cron === null) {
    if (schedule.timeZone !== null || durationMinutes !== null)
      throw new ScheduleError('needs a cron pattern if it has a time zone or a duration')
    return schedule
  }
  if (durationMinutes === null) throw new ScheduleError('needs a duration for the windows that its cron pattern opens')
  if (durationMinutes < minWindowMinutes || durationMinutes > maxWindowMinutes)
    throw new ScheduleError(`must have a duration of ${minWindowMinutes} to ${maxWindowMinutes} minutes`)
  const normalised = { ...schedule, cron: normalisePattern(cron), timeZone: normaliseTimeZone(schedule.timeZone) }
  if (from && until && nextStart(normalised, from) === null)
    throw new ScheduleError('must open at least one window before it ends')
  return normalised
}

/** Answers cannot show a later time, because the format of years beyond 9999 differs. */
const lastInstant = new Date('9999-12-31T23:59:59.999Z')

/** When the schedule next opens, at the given time or later. Null if it never opens again or is open all the time. */
export function nextStart({ from, until, cron, timeZone }: Schedule, at: Date): Date | null {
  const earliest = from && from > at ? from : at
  if (cron === null) return from === earliest ? from : null
  // The parser only finds later times. One millisecond less includes the given time, because patterns have no seconds.
  const start = occurrences(cron, timeZone, earliest.getTime() - 1)
    .next()
    .toDate()
  return start > lastInstant || (until && start >= until) ? null : start
}

/** A period in which distribution may begin. The end is null if the schedule has none. */
export type DistributionWindow = { start: Date; end: Date | null }

/** The rest of the window that is open at the given time, or the next window. Null if no window opens any more. */
export function windowAt(schedule: Schedule, at: Date): DistributionWindow | null {
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

// The parser replaces H by a random number, so H is refused.
const isPlain = (field: string) => /^[\dA-Z*,/#-]+$/.test(field) && !/\bH\b/.test(field)

function normalisePattern(cron: string): string {
  const fields = cron.trim().toUpperCase().split(/\s+/)
  if (fields.length !== 5 || !fields.every(isPlain))
    throw new ScheduleError('must have a cron pattern of five fields: minute, hour, day of month, month, day of week')
  const pattern = fields.join(' ')
  try {
    // A pattern such as February 30 parses, but has no occurrence.
    occurrences(pattern, 'UTC', 0).next()
    return pattern
  } catch (error) {
    throw new ScheduleError(`has an invalid cron pattern: ${(error as Error).message}`)
  }
}

function normaliseTimeZone(name: string | null): string {
  const timeZone = findTimeZone(name ?? 'UTC')
  if (timeZone === undefined)
    throw new ScheduleError('must have a time zone of the IANA database, such as Europe/Berlin')
  return timeZone
}

/** The time zone by its usual name. Undefined if there is none. */
export function findTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

function parseInstantPart(part: Part, text: string | undefined): Date | null {
  if (text === undefined) return null
  const instant = parseInstant(text)
  if (!instant) throw new ScheduleError(`must have an ISO 8601 date-time for ${part}`)
  return instant
}

function parseDuration(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,4}$/.test(text)) throw new ScheduleError('must have a whole number of minutes for DURATION')
  return Number(text)
}
