import { type RawBuilder, sql } from 'kysely'
import { conflictsOf } from '../../packages/conflicts.ts'

type RelatedName = { name: string; packageId: string | null }

type RelatedPackage = { packageId: string; name: string; version: string | null }

export type PackageRelations = {
  requires: (RelatedName & { pulledIn: boolean })[]
  supersedes: (RelatedName & { uninstallFirst: boolean })[]
  conflicts: RelatedName[]
  requiredBy: RelatedPackage[]
  supersededBy: RelatedPackage[]
}

const maxPackages = 50

/** The package with a name that would come to computers, as far as that does not depend on the computer; null without one. */
const packageNamed = (name: string) => sql<string | null>`(
  select named.id from packages named where lower(named.package_name) = lower(${sql.ref(name)})
  order by named.is_operational desc, version_numbers(named.version) desc, named.id limit 1)`

const relatedPackages = (table: string, column: string) => sql<RelatedPackage[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('packageId', listed.id, 'name', listed.name, 'version', listed.version)
    order by lower(listed.name), listed.version, listed.id), '[]')
  from (
    select packages.id, packages.name, packages.version
    from ${sql.table(table)} relation join packages on packages.id = relation.package_id
    where lower(${sql.ref(`relation.${column}`)}) = lower(own.package_name)
    order by lower(packages.name), packages.version, packages.id limit ${maxPackages}
  ) as listed)`

/** How the package of `own` relates to others, by itself and through what they say about it. */
export const packageRelations: RawBuilder<PackageRelations> = sql`jsonb_build_object(
  'requires', (
    select coalesce(jsonb_agg(jsonb_build_object('name', required_name, 'packageId', ${packageNamed('required_name')},
      'pulledIn', pulls) order by lower(required_name)), '[]')
    from package_requirements where package_id = own.id),
  'supersedes', (
    select coalesce(jsonb_agg(jsonb_build_object('name', superseded_name, 'packageId', ${packageNamed('superseded_name')},
      'uninstallFirst', uninstalls_first) order by lower(superseded_name)), '[]')
    from package_supersedes where package_id = own.id),
  'conflicts', (
    select coalesce(jsonb_agg(jsonb_build_object('name', conflict.name, 'packageId', ${packageNamed('conflict.name')})
      order by conflict.name), '[]')
    from (
      select distinct on (lower(name)) name from (
        select conflicting_name as name from package_conflicts where package_id = own.id
        union all
        select other.package_name from (${conflictsOf('own')}) as theirs join packages other on other.id = theirs.id
      ) as both_directions order by lower(name), name
    ) as conflict),
  'requiredBy', ${relatedPackages('package_requirements', 'required_name')},
  'supersededBy', ${relatedPackages('package_supersedes', 'superseded_name')})`
