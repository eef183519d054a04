import { formatPath, isForComputers, PackageFault, type PackageManifest } from '@muster/package-format'
import { toName } from '@muster/schema'
import { sql } from 'kysely'
import { lockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { hasOneValue } from '../variables/definitions.ts'
import { type RelatedPackage, RelationGraph } from './relation-graph.ts'

/**
 * Imports write one after the other: each checks its relations against those of all other packages. Take it before anything
 * else is locked.
 */
export async function lockRelations(db: Database): Promise<void> {
  await lockForTransaction(db, 'packageRelations')
}

/**
 * Writes how a package relates to others, by name: they may be imported later. Returns the packages that it could pull in before.
 * Throws a PackageFault if no computer could ever get the package.
 */
export async function writeRelations(db: Database, id: string, manifest: PackageManifest): Promise<string[]> {
  const { requires = [], conflicts = [], supersedes = [] } = isForComputers(manifest) ? manifest : {}
  await requireKnownNames(db, manifest)
  const { rows } = await sql<{ pulled_id: string }>`
    select pulled_id from package_pulls where package_id = ${id}`.execute(db)
  await db.deleteFrom('package_requirements').where('package_id', '=', id).execute()
  await sql`
    insert into package_requirements (package_id, required_name)
    select ${id}, name from unnest(${requires.map(toName)}::text[]) as required (name)`.execute(db)
  await db.deleteFrom('package_conflicts').where('package_id', '=', id).execute()
  await sql`
    insert into package_conflicts (package_id, conflicting_name)
    select ${id}, name from unnest(${conflicts.map(toName)}::text[]) as conflicting (name)`.execute(db)
  await db.deleteFrom('package_supersedes').where('package_id', '=', id).execute()
  await sql`
    insert into package_supersedes (package_id, superseded_name, uninstalls_first)
    select ${id}, name, is_first from unnest(${supersedes.map(({ name }) => toName(name))}::text[],
      ${supersedes.map(({ uninstallFirst = false }) => uninstallFirst)}::boolean[]) as superseded (name, is_first)`.execute(
    db,
  )
  await requireNoContradiction(db, id, toName(manifest.name))
  return rows.map(({ pulled_id }) => pulled_id)
}

/**
 * Packages that require each other would wait for each other forever, and of packages that supersede each other, none would
 * be installed. What a package requires must be able to be on one computer.
 */
async function requireNoContradiction(db: Database, id: string, name: string): Promise<void> {
  const graph = await loadRelations(db)
  const required = graph.findCycle(name, 'requires')
  if (required)
    throw new PackageFault(`The packages require each other: ${required}. Remove one of these requirements.`)
  const superseded = graph.findCycle(name, 'supersedes')
  if (superseded)
    throw new PackageFault(`The packages supersede each other: ${superseded}. Remove one of these relations.`)
  const contradiction = graph.findContradiction(id)
  if (contradiction) throw new PackageFault(`${contradiction} Remove one of these relations.`)
}

/** The packages that have relations, or to which others have some. */
async function loadRelations(db: Database): Promise<RelationGraph> {
  const { rows } = await sql<RelatedPackage>`
    with relation as materialized (
      select 'requires' as relation, package_id, required_name as name from package_requirements
      union all select 'conflicts', package_id, conflicting_name from package_conflicts
      union all select 'supersedes', package_id, superseded_name from package_supersedes
    ), related as materialized (
      select package_id, array_agg(name order by name) filter (where relation = 'requires') as requires,
        array_agg(name order by name) filter (where relation = 'conflicts') as conflicts,
        array_agg(name order by name) filter (where relation = 'supersedes') as supersedes
      from relation group by package_id
    )
    select packages.id, packages.package_name as name, coalesce(requires, '{}') as requires,
      coalesce(conflicts, '{}') as conflicts, coalesce(supersedes, '{}') as supersedes
    from packages left join related on related.package_id = packages.id
    where related.package_id is not null or lower(packages.package_name) in (select lower(name) from relation)
    order by packages.package_name, packages.version, packages.id`.execute(db)
  return new RelationGraph(rows)
}

/** A condition about a field or a variable that does not exist would keep every computer from the package. */
async function requireKnownNames(db: Database, manifest: PackageManifest): Promise<void> {
  const { customFields = [], variables = [] } = (isForComputers(manifest) ? manifest.onlyFor : undefined) ?? {}
  const { rows: fields } = await sql<{ name: string }>`
    select name from unnest(${customFields.map(({ name }) => name)}::text[]) as named (name)
    where not exists (select from custom_fields field where lower(field.designation) = lower(named.name))`.execute(db)
  if (fields[0])
    throw new PackageFault(
      `There is no custom field ${formatPath(fields[0].name)}. Create it, or correct the name in 'onlyFor.customFields'.`,
    )
  const { rows: unknown } = await sql<{ name: string }>`
    select name from unnest(${variables.map(({ name }) => name)}::text[]) as named (name)
    where not exists (
      select from variable_definitions definition
      where lower(definition.dotted_name) = lower(named.name) and ${hasOneValue('definition')} and not is_secret)`.execute(
    db,
  )
  if (unknown[0])
    throw new PackageFault(
      `There is no variable ${formatPath(unknown[0].name)} that has one value and is not secret. Create it, or correct the name in ` +
        "'onlyFor.variables'.",
    )
}
