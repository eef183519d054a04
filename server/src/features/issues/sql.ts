import { type RawBuilder, sql } from 'kysely'

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
