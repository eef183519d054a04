import { type RawBuilder, sql } from 'kysely'

/** Selects the `id` of the packages that conflict with a package, whichever of the two says so. Takes its alias. */
export function conflictsOf(ofPackage: string): RawBuilder<{ id: string }> {
  return sql`select id from conflicts_of(${sql.ref(`${ofPackage}.id`)})`
}
