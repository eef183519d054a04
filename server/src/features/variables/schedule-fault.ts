import { parseInstant } from '@muster/schema'

/**
 * What is wrong with the schedule of a value, if anything. The database reads the time from it (`effective_from`). Any
 * other text is a note, but a text that begins like a date must be a time: a value must not count early because of a
 * misspelt date.
 */
export function findScheduleFault(schedule: string | null | undefined): string | undefined {
  if (!schedule || !/^\s*\d{4}-/.test(schedule) || parseInstant(schedule)) return undefined
  return 'begins like a date and must be an ISO 8601 date-time, such as 2026-03-01T22:00:00Z'
}
