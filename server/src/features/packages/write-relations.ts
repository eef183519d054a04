import { formatPath, isForComputers, PackageFault, type PackageManifest } from '@muster/package-format'
import { toName } from '@muster/schema'
import { sql } from 'kysely'
import { lockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'

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
  await requireCustomFields(db, manifest)
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
      ${supersedes.map(({ uninstallFirst = false }) => uninstallFirst)}::boolean[]) as superseded (name, is_first)`.execute(db)
  await requireNoCycle(db, toName(manifest.name))
  await requireNoConflict(db, toName(manifest.name), conflicts.map(toName))
  return rows.map(({ pulled_id }) => pulled_id)
}

/**
 * Packages that require each other would wait for each other forever, and of packages that supersede each other, none would
 * be installed.
 */
async function requireNoCycle(db: Database, name: string): Promise<void> {
  const required = await findPath(db, requirement, name, name)
  if (required)
    throw new PackageFault(
      `The packages require each other: ${required.map(formatPath).join(' requires ')}. Remove one of these requirements.`,
    )
  const superseded = await findPath(db, supersession, name, name)
  if (superseded)
    throw new PackageFault(
      `The packages supersede each other: ${superseded.map(formatPath).join(' supersedes ')}. Remove one of these relations.`,
    )
}

/** A condition about a field that does not exist would never keep a computer from the package. */
async function requireCustomFields(db: Database, manifest: PackageManifest): Promise<void> {
  const fields = (isForComputers(manifest) ? manifest.onlyFor?.customFields : undefined) ?? []
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${fields.map(({ name }) => name)}::text[]) as named (name)
    where not exists (select from custom_fields field where lower(field.designation) = lower(named.name))`.execute(db)
  if (rows[0])
    throw new PackageFault(
      `There is no custom field ${formatPath(rows[0].name)}. Create it, or correct the name in 'onlyFor.customFields'.`,
    )
}

/** What a package requires must be able to be on the same computer. */
async function requireNoConflict(db: Database, name: string, conflicts: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct packages.package_name as name
    from package_conflicts join packages on packages.id = package_conflicts.package_id
    where lower(conflicting_name) = lower(${name}) and packages.package_name is not null`.execute(db)
  for (const other of [...conflicts, ...rows.map((row) => row.name)]) {
    const path = await findPath(db, requirement, name, other)
    if (path)
      throw new PackageFault(
        `The package conflicts with ${formatPath(other)}, and needs it: ${path.map(formatPath).join(' requires ')}. ` +
          'Remove the conflict or one of these requirements.',
      )
  }
}

type Relation = { table: string; name: string }

const requirement: Relation = { table: 'package_requirements', name: 'required_name' }
const supersession: Relation = { table: 'package_supersedes', name: 'superseded_name' }

/** A chain of relations from a package to another one, by name; undefined without one. */
async function findPath(db: Database, relation: Relation, from: string, to: string): Promise<string[] | undefined> {
  const [table, related] = [sql.table(relation.table), sql.ref(`related.${relation.name}`)]
  const parents = new Map<string, string>()
  let names = [from]
  while (names.length > 0) {
    const { rows } = await sql<{ parent: string; name: string }>`
      select distinct on (lower(${related})) packages.package_name as parent, ${related} as name
      from packages join ${table} related on related.package_id = packages.id
      where lower(packages.package_name) in (select lower(name) from unnest(${names}::text[]) as asked (name))
      order by lower(${related}), packages.package_name, ${related}`.execute(db)
    const found = rows.filter(({ name }) => !parents.has(name.toLowerCase()))
    for (const { parent, name } of found) parents.set(name.toLowerCase(), parent)
    const end = found.find(({ name }) => name.toLowerCase() === to.toLowerCase())
    if (end) return toPath(parents, from, end)
    names = found.map(({ name }) => name)
  }
  return undefined
}

function toPath(parents: ReadonlyMap<string, string>, from: string, end: { parent: string; name: string }): string[] {
  const path = [end.name]
  for (let name = end.parent; ; name = parents.get(name.toLowerCase()) ?? from) {
    path.unshift(name)
    if (name.toLowerCase() === from.toLowerCase()) return path
  }
}
