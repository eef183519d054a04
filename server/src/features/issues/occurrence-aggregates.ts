import { type RawBuilder, sql } from 'kysely'

const maxListItems = 500
const maxTextItems = 5

/** All occurrences as a JSON array of objects, cut off after 500. */
export function jsonList(
  properties: Record<string, RawBuilder<unknown>>,
  orderBy: RawBuilder<unknown>,
): RawBuilder<object[]> {
  const pairs = Object.entries(properties).map(([name, value]) => sql`${sql.lit(name)}, ${value}`)
  return sql<
    object[]
  >`to_jsonb((array_agg(jsonb_build_object(${sql.join(pairs)}) order by ${orderBy}))[1:${sql.lit(maxListItems)}])`
}

/** The texts of the first five occurrences, separated by commas. */
export function textList(text: RawBuilder<string>, orderBy: RawBuilder<unknown>): RawBuilder<string> {
  const max = sql.lit(maxTextItems)
  return sql<string>`array_to_string((array_agg(${text} order by ${orderBy}))[1:${max}], ', ')
    || case when count(*) > ${max} then ', …' else '' end`
}

/** The value of the only occurrence, for an issue that a computer has at most once. */
export const onlyValue = <T>(value: RawBuilder<T>): RawBuilder<T> => sql<T>`min(${value})`
