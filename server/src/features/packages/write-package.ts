import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { hasOneValue } from '../variables/definitions.ts'
import { contentHash, type HashedFile } from './hash-files.ts'
import { type PackageManifest, packageKinds } from './manifest.ts'
import { PackageFault } from './package-fault.ts'
import { formatPath } from './paths.ts'

export type NewPackage = { folder: string; manifest: PackageManifest; files: readonly HashedFile[] }

const filesAtOnce = 5_000

/**
 * Writes an imported package, inside the transaction of the caller. With `overwrite` it replaces the content of the
 * package with the same identity, which keeps its id and so its assignments, its tags and its Ready-to-Install flag.
 */
export async function writePackage(db: Database, content: NewPackage, overwrite: boolean): Promise<string> {
  const id = await writeHead(db, content, overwrite)
  await writeFiles(db, id, content.files)
  await writeSkus(db, id, content.manifest)
  await writeBootImage(db, id, content.manifest)
  await writeVariables(db, id, content.manifest)
  await writeNeeds(db, id, content.manifest)
  return id
}

const identityOf = ({ name, version, revision, operatingSystems }: PackageManifest) => ({
  package_name: name,
  version,
  revision: revision ?? null,
  // In one order, because the order in the manifest tells nothing.
  operating_systems: operatingSystems.toSorted(),
})

const identityKey = sql`lower(package_name), lower(version), lower(coalesce(revision, '')), operating_systems`

/** Looks, before any work is done, for what would make the import fail in the end. */
export async function requireFreeIdentity(db: Database, manifest: PackageManifest, overwrite: boolean): Promise<void> {
  const { package_name, version, revision, operating_systems } = identityOf(manifest)
  const { rows } = await sql<{ kind: string }>`
    select kind from packages
    where (${identityKey}) =
      (lower(${package_name}), lower(${version}), lower(coalesce(${revision}, '')), ${operating_systems}::text[])`.execute(
    db,
  )
  if (rows[0] && !(overwrite && rows[0].kind === packageKinds[manifest.kind])) throw taken(manifest, overwrite)
}

function taken({ name, version, revision }: PackageManifest, overwrite: boolean): PackageFault {
  const called = `${name} ${version}${revision ? ` revision ${revision}` : ''}`
  return new PackageFault(
    overwrite
      ? `The package ${called} is of another kind. Give the new one another name or version.`
      : `A package with the identical identity exists: ${called}. Import with overwrite=true to replace it.`,
  )
}

async function writeHead(db: Database, content: NewPackage, overwrite: boolean): Promise<string> {
  const { folder, manifest, files } = content
  const values = {
    ...identityOf(manifest),
    name: manifest.displayName ?? manifest.name,
    author: manifest.author ?? null,
    description: manifest.description ?? null,
    kind: packageKinds[manifest.kind],
    is_pre_os: manifest.kind === 'software' && manifest.preOs === true,
    folder,
    manifest: JSON.stringify(manifest),
    content_hash: contentHash(files),
    hash_state: 'Current',
    imported_at: sql<Date>`now()`,
  }
  const insert = db.insertInto('packages').values(values)
  const written = await insert
    .onConflict((conflict) => {
      const target = conflict.expression(identityKey)
      return overwrite ? target.doUpdateSet(values).where('packages.kind', '=', values.kind) : target.doNothing()
    })
    .returning('id')
    .executeTakeFirst()
  if (!written) throw taken(manifest, overwrite)
  return written.id
}

async function writeFiles(db: Database, id: string, files: readonly HashedFile[]): Promise<void> {
  await db.deleteFrom('package_files').where('package_id', '=', id).execute()
  for (let from = 0; from < files.length; from += filesAtOnce) {
    const some = files.slice(from, from + filesAtOnce)
    await sql`
      insert into package_files (package_id, path, size, sha256)
      select ${id}, path, size, decode(sha256, 'hex')
      from unnest(${some.map(({ path }) => path)}::text[], ${some.map(({ size }) => size)}::bigint[],
        ${some.map(({ sha256 }) => sha256)}::text[]) as file (path, size, sha256)`.execute(db)
  }
}

/** An edition keeps its id as long as it keeps its number in the image. */
async function writeSkus(db: Database, id: string, manifest: PackageManifest): Promise<void> {
  const skus = manifest.kind === 'operatingSystem' ? manifest.image.skus : []
  const indexes = skus.map(({ index }) => index)
  await sql`delete from os_image_skus where package_id = ${id} and sku_index <> all (${indexes}::integer[])`.execute(db)
  await sql`
    insert into os_image_skus (package_id, sku_index, edition)
    select ${id}, index, edition
    from unnest(${indexes}::integer[], ${skus.map(({ edition }) => edition)}::text[]) as sku (index, edition)
    on conflict (package_id, sku_index) do update set edition = excluded.edition`.execute(db)
}

async function writeBootImage(db: Database, id: string, { kind }: PackageManifest): Promise<void> {
  if (kind !== 'pxeBootImage') return
  await sql`insert into pxe_boot_images (package_id) values (${id}) on conflict do nothing`.execute(db)
}

async function writeVariables(db: Database, id: string, { variables = [] }: PackageManifest): Promise<void> {
  const { rows } = await sql<{ name: string; id: number | null; is_secret: boolean; has_one_value: boolean }>`
    select wanted.name, definition.id, definition.is_secret, ${hasOneValue('definition')} as has_one_value
    from unnest(${variables.map(({ variable }) => variable)}::text[]) as wanted (name)
      left join variable_definitions as definition on lower(definition.dotted_name) = lower(wanted.name)`.execute(db)
  for (const { name, id: known, is_secret, has_one_value } of rows) {
    const refuse = (reason: string) => new PackageFault(`The variable ${formatPath(name)} ${reason}.`)
    if (known === null) throw refuse('does not exist')
    if (!has_one_value) throw refuse('has no single value')
    if (is_secret) throw refuse('is secret; set it on groups or computers')
  }
  await db.deleteFrom('package_variables').where('package_id', '=', id).execute()
  await sql`
    insert into package_variables (package_id, variable_id, value)
    select ${id}, definition.id, wanted.value
    from unnest(${variables.map(({ variable }) => variable)}::text[], ${variables.map(({ value }) => value)}::text[])
        as wanted (name, value)
      join variable_definitions as definition on lower(definition.dotted_name) = lower(wanted.name)`.execute(db)
}

async function writeNeeds(db: Database, id: string, manifest: PackageManifest): Promise<void> {
  const { requires = [], secrets = [] } = 'commands' in manifest ? manifest : {}
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${secrets}::text[]) as wanted (name)
    where not exists (
      select from variable_definitions as definition
      where lower(definition.dotted_name) = lower(wanted.name) and definition.is_secret)`.execute(db)
  if (rows[0]) throw new PackageFault(`There is no secret variable ${formatPath(rows[0].name)}.`)
  await db.deleteFrom('package_requirements').where('package_id', '=', id).execute()
  await sql`
    insert into package_requirements (package_id, required_name)
    select ${id}, name from unnest(${requires}::text[]) as required (name)`.execute(db)
  await requireNoCircle(db, manifest.name)
}

/** Packages that wait for each other would wait for ever. */
async function requireNoCircle(db: Database, name: string): Promise<void> {
  const { rows } = await sql<{ through: string }>`
    with recursive needed (name, through) as (
      select lower(${name}), null::text
      union
      select lower(r.required_name), coalesce(needed.through, r.required_name)
      from needed join packages p on lower(p.package_name) = needed.name join package_requirements r on r.package_id = p.id
    )
    select through from needed where name = lower(${name}) and through is not null limit 1`.execute(db)
  if (rows[0]) throw new PackageFault(`The package requires ${formatPath(rows[0].through)}, which in turn requires it.`)
}
