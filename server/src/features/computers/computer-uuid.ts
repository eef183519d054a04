import { type RawBuilder, sql } from 'kysely'

/** What the API reads and writes for a computer that has no uuid. */
export const emptyUuid = '00000000-0000-0000-0000-000000000000'

/** The uuid in the column as the API shows it: the empty one instead of null. */
export function uuidOrEmpty(column: string): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(column)}, ${sql.lit(emptyUuid)})`
}
