import { type RawBuilder, sql } from 'kysely'

/** A longer interval would leave the range of PostgreSQL timestamps. */
const maxHours = 24 * 365_000

/** The time this many days and hours ago. A day is 24 hours, even across a clock change. */
export function ago({ days = 0, hours = 0 }: { days?: number; hours?: number }): RawBuilder<Date> {
  return sql<Date>`now() - make_interval(hours => ${Math.min(days * 24 + hours, maxHours)}::integer)`
}

/** Hours from the time until now, with one decimal. */
export const hoursSince = (time: string) =>
  sql<number>`round((extract(epoch from now() - ${sql.ref(time)}) / 3600)::numeric, 1)::double precision`

/** Days from the time until now, with one decimal. */
export const daysSince = (time: string) =>
  sql<number>`round((extract(epoch from now() - ${sql.ref(time)}) / 86400)::numeric, 1)::double precision`

/** Formats a time for JSON that PostgreSQL builds, in the format of the API. */
export const timeAsJson = (time: RawBuilder<Date | null>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
