import { type RawBuilder, sql } from 'kysely'

/** Selects the `id` of the packages that conflict with a package, whichever of the two says so. Takes its alias. */
export function conflictsOf(ofPackage: string): RawBuilder<{ id: string }> {
  const [id, name] = [sql.ref(`${ofPackage}.id`), sql.ref(`${ofPackage}.package_name`)]
  return sql`
    select other.id
    from package_conflicts own join packages other on lower(other.package_name) = lower(own.conflicting_name)
    where own.package_id = ${id}
    union
    select theirs.package_id from package_conflicts theirs where lower(theirs.conflicting_name) = lower(${name})`
}
