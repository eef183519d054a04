import { parseInstant } from '@muster/schema'

/** A date, or a date and a time with or without seconds and offset. No place on earth is more than 14 hours from UTC. */
const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i

/**
 * What is wrong with the schedule of a value, if anything. The database reads the time from it (`schedule_start`), and a
 * value without such a time takes effect at once: a text that is not understood must not be stored.
 */
export function findScheduleFault(schedule: string | null | undefined): string | undefined {
  if (!schedule) return undefined
  const [, date, time = '00:00', seconds = ':00', offset = 'Z'] = form.exec(schedule) ?? []
  if (date && parseInstant(`${date}T${time}${seconds}${offset}`)) return undefined
  return 'must be an ISO 8601 date or date-time, such as 2026-03-01T22:00:00Z'
}
