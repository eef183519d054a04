import { type RawBuilder, sql } from 'kysely'

/** Nothing is older, and no time that far back is beyond what PostgreSQL can write. */
const longestHours = 24 * 365_000

/** The time so long ago. Days are 24 hours, whatever clocks are set to in between. */
export function ago({ days = 0, hours = 0 }: { days?: number; hours?: number }): RawBuilder<Date> {
  return sql<Date>`now() - make_interval(hours => ${Math.min(days * 24 + hours, longestHours)}::integer)`
}

/** Hours from the time until now, with one decimal. */
export const hoursSince = (time: string) =>
  sql<number>`round((extract(epoch from now() - ${sql.ref(time)}) / 3600)::numeric, 1)::double precision`

/** Days from the time until now, with one decimal. */
export const daysSince = (time: string) =>
  sql<number>`round((extract(epoch from now() - ${sql.ref(time)}) / 86400)::numeric, 1)::double precision`

/** A time inside of JSON, as the API writes it. */
export const inJson = (time: RawBuilder<unknown>) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const longestList = 500

/** The findings as a JSON array of such objects, the first of them if there are very many. */
export function listOf(
  properties: Record<string, RawBuilder<unknown>>,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const pairs = Object.entries(properties).map(([name, value]) => sql`${sql.lit(name)}, ${value}`)
  return sql`to_jsonb((array_agg(jsonb_build_object(${sql.join(pairs)}) order by ${order}))[1:${sql.lit(longestList)}])`
}

/** The first few of the texts, for people. */
export function fewOf(text: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`array_to_string((array_agg(${text} order by ${order}))[1:5], ', ')
    || case when count(*) > 5 then ', …' else '' end`
}
