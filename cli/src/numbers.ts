import { UsageError } from './errors.ts'

/** The number of an option, such as `--expect 25`. */
export function parseCount(text: unknown, option: string, min = 0): number {
  const count = Number(text)
  if (text === '' || !Number.isInteger(count) || count < min)
    throw new UsageError(`${option} needs a whole number${min > 0 ? ` from ${min}` : ''}, not "${text}".`)
  return count
}

const hourMs = 3_600_000

/** The end of a number of days that begin now, as UTC. */
export const parseDaysFromNow = (text: unknown): string => parseFromNow(text, 'days', 24 * hourMs)

/** The end of a number of hours that begin now, as UTC. */
export const parseHoursFromNow = (text: unknown): string => parseFromNow(text, 'hours', hourMs)

function parseFromNow(text: unknown, unit: string, unitMs: number): string {
  const count = Number(text)
  if (!(count > 0)) throw new UsageError(`"${text}" is not a number of ${unit}.`)
  return new Date(Date.now() + count * unitMs).toISOString()
}

/** A point in time, as UTC. Without a time zone it is that of this computer. */
export function parseTime(text: unknown): string {
  const time = new Date(String(text))
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`"${text}" is not a time. Write 2026-03-14, 2026-03-14T08:30 or 2026-03-14T08:30:00Z.`)
  return time.toISOString()
}
