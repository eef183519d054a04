import { type RawBuilder, sql } from 'kysely'

/**
 * The value as the API shows it: null if the variable is secret. `definition` is the alias of `variable_definitions`,
 * `stored` the alias of a table with values.
 */
export function visibleValue(definition: string, stored: string): RawBuilder<string | null> {
  return sql<string | null>`
    case when not ${sql.ref(`${definition}.is_secret`)} then ${sql.ref(`${stored}.value`)} end`
}
