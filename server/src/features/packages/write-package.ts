import {
  contentHash,
  formatPath,
  type HashedFile,
  isForComputers,
  PackageFault,
  type PackageManifest,
  packageKinds,
} from '@muster/package-format'
import { toName } from '@muster/schema'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockResource } from '../../platform/pipeline/etag.ts'
import { hasOneValue } from '../variables/definitions.ts'
import { withdrawUnjustifiedWork } from '../work-states/withdraw-work.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { type PackageSignature, signatureColumns } from './signature.ts'
import { lockRelations, writeRelations } from './write-relations.ts'

export type NewPackage = {
  folder: string
  manifest: PackageManifest
  files: readonly HashedFile[]
  signature: PackageSignature | null
  /** The principal who requested the import; null for jobs from before this was recorded. */
  importer: { id: number; name: string } | null
}

export type ImportRules = {
  overwrite: boolean
  /** Whether a trusted signature releases changed content, if the package was released before. */
  signatureReleases: boolean
}

export type WrittenPackage = { id: string; isCleared: boolean }

/** Rows per insert statement. */
const filesPerInsert = 5_000

/**
 * Writes an imported package in the transaction of the caller. With `overwrite` it replaces the content of the package
 * with the same identity. That package keeps its id, and with it its assignments and tags. Changed content clears its
 * Ready-to-Install flag, unless a trusted signature releases it; `isCleared` says whether that happened.
 */
export async function writePackage(db: Database, content: NewPackage, rules: ImportRules): Promise<WrittenPackage> {
  await lockRelations(db)
  const wasReleased = await lockReleased(db, content.manifest)
  const { id, isReleased } = await writePackageRow(db, content, rules)
  await writeFiles(db, id, content.files)
  await writeSkus(db, id, content.manifest)
  await writeBootImage(db, id, content.manifest)
  await writeVariables(db, id, content.manifest)
  await requireSecrets(db, content.manifest)
  const pulledBefore = await writeRelations(db, id, content.manifest)
  if (rules.overwrite) await withdrawChanged(db, [id, ...pulledBefore])
  return { id, isCleared: wasReleased && !isReleased }
}

/**
 * An edition may be gone, the package may run before the operating system now, which other activations bring, it may be for other
 * computers, or it may no longer require what it has pulled in.
 */
async function withdrawChanged(db: Database, packageIds: readonly string[]): Promise<void> {
  const computers = sql<{ computer_id: number }>`
    select computer_id from work where package_id = any(${packageIds}::uuid[]) and ${isOpenWork('state')}
    union select computer_id from deployments where package_id = any(${packageIds}::uuid[]) and status = 'Failed'`
  const packages = sql<{ package_id: string }>`select unnest(${packageIds}::uuid[]) as package_id`
  await withdrawUnjustifiedWork(db, { computers, packages }, { reason: 'ContentChanged' })
}

/** The columns that identify a package. */
const identityOf = ({ name, version, revision, operatingSystems }: PackageManifest) => ({
  package_name: toName(name),
  version,
  revision: revision ?? null,
  // Sorted, because the order in the manifest has no meaning.
  operating_systems: operatingSystems.toSorted(),
})

const identityKey = sql`lower(package_name), lower(version), lower(coalesce(revision, '')), operating_systems`

/** Whether a row of `packages` has the identity of the manifest. */
export function hasIdentity(manifest: PackageManifest): RawBuilder<boolean> {
  const { package_name, version, revision, operating_systems } = identityOf(manifest)
  return sql`(${identityKey}) =
    (lower(${package_name}), lower(${version}), lower(coalesce(${revision}, '')), ${operating_systems}::text[])`
}

/**
 * Fails early, before any file is hashed, if another package has the identity. `writePackage` checks again, because imports
 * run concurrently.
 */
export async function requireFreeIdentity(db: Database, manifest: PackageManifest, overwrite: boolean): Promise<void> {
  const { rows } = await sql<{ kind: string }>`select kind from packages where ${hasIdentity(manifest)}`.execute(db)
  if (rows[0] && !(overwrite && rows[0].kind === packageKinds[manifest.kind])) throw identityTaken(manifest, overwrite)
}

function identityTaken({ name, version, revision }: PackageManifest, overwrite: boolean): PackageFault {
  const label = `${name} ${version}${revision ? ` revision ${revision}` : ''}`
  return new PackageFault(
    overwrite
      ? `The package ${label} exists already and is of another kind. Give the new package another name or version.`
      : `A package with the same name, version, revision and operating systems exists already: ${label}. ` +
          'Import with overwrite=true to replace its content.',
  )
}

/**
 * Whether a package with the identity is Ready to Install. Locks it like an operation that changes it does: who releases
 * with `If-Match` releases the content that was read, not one that is imported at the same time.
 */
async function lockReleased(db: Database, manifest: PackageManifest): Promise<boolean> {
  const { rows: found } = await sql<{ id: string }>`select id from packages where ${hasIdentity(manifest)}`.execute(db)
  if (!found[0]) return false
  await lockResource(db, `/api/packages/${found[0].id}`)
  const { rows } = await sql<{ is_operational: boolean }>`
    select is_operational from packages where id = ${found[0].id}`.execute(db)
  return rows[0]?.is_operational === true
}

async function writePackageRow(db: Database, content: NewPackage, { overwrite, signatureReleases }: ImportRules) {
  const { folder, manifest, files, signature, importer } = content
  const { files: _, ...withoutFiles } = manifest
  const values = {
    ...identityOf(manifest),
    name: toName(manifest.displayName ?? manifest.name),
    author: manifest.author ?? null,
    description: manifest.description ?? null,
    kind: packageKinds[manifest.kind],
    is_pre_os: manifest.kind === 'software' && manifest.preOs === true,
    folder,
    // The files have a table of their own.
    manifest: JSON.stringify(withoutFiles),
    ...signatureColumns(signature),
    content_hash: contentHash(files),
    hash_state: 'Current',
    imported_at: sql<Date>`now()`,
  }
  const isUnchanged = sql<boolean>`packages.content_hash is not distinct from excluded.content_hash`
  const isReleasedBySignature = signatureReleases && values.signature_key !== null
  const onOverwrite = {
    ...values,
    is_operational: sql<boolean>`packages.is_operational and (${isReleasedBySignature} or ${isUnchanged})`,
    // A principal that imports the same content again has not changed it.
    importer_id: unlessUnchanged<number | null>('importer_id', isUnchanged),
    importer_name: unlessUnchanged<string | null>('importer_name', isUnchanged),
  }
  const written = await db
    .insertInto('packages')
    .values({ ...values, importer_id: importer?.id ?? null, importer_name: importer?.name ?? null })
    .onConflict((conflict) => {
      const target = conflict.expression(identityKey)
      return overwrite ? target.doUpdateSet(onOverwrite).where('packages.kind', '=', values.kind) : target.doNothing()
    })
    .returning(['id', 'is_operational as isReleased'])
    .executeTakeFirst()
  if (!written) throw identityTaken(manifest, overwrite)
  return written
}

/** The stored value of the column while the content is the same and the value is known, otherwise the new one. */
function unlessUnchanged<T>(column: string, isUnchanged: RawBuilder<boolean>): RawBuilder<T> {
  const [stored, fresh] = [sql.ref(`packages.${column}`), sql.ref(`excluded.${column}`)]
  return sql<T>`case when ${isUnchanged} then coalesce(${stored}, ${fresh}) else ${fresh} end`
}

async function writeFiles(db: Database, id: string, files: readonly HashedFile[]): Promise<void> {
  await db.deleteFrom('package_files').where('package_id', '=', id).execute()
  for (let from = 0; from < files.length; from += filesPerInsert) {
    const batch = files.slice(from, from + filesPerInsert)
    await sql`
      insert into package_files (package_id, path, size, sha256)
      select ${id}, path, size, decode(sha256, 'hex')
      from unnest(${batch.map(({ path }) => path)}::text[], ${batch.map(({ size }) => size)}::bigint[],
        ${batch.map(({ sha256 }) => sha256)}::text[]) as file (path, size, sha256)`.execute(db)
  }
}

/** An edition keeps its id, and so its assignments, as long as it keeps its number in the image. */
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
    select requested.name, definition.id, definition.is_secret, ${hasOneValue('definition')} as has_one_value
    from unnest(${variables.map(({ variable }) => variable)}::text[]) as requested (name)
      left join variable_definitions as definition on lower(definition.dotted_name) = lower(requested.name)`.execute(db)
  for (const { name, id: definitionId, is_secret, has_one_value } of rows) {
    const fault = (predicate: string) => new PackageFault(`The variable ${formatPath(name)} ${predicate}.`)
    if (definitionId === null) throw fault("does not exist. Create it, or remove it from 'variables'")
    if (!has_one_value)
      throw fault('cannot have a default value, because it is a category, a collection or a column of a collection')
    if (is_secret) throw fault('is secret. Set its value on groups or computers instead')
  }
  await db.deleteFrom('package_variables').where('package_id', '=', id).execute()
  await sql`
    insert into package_variables (package_id, variable_id, value)
    select ${id}, definition.id, requested.value
    from unnest(${variables.map(({ variable }) => variable)}::text[], ${variables.map(({ value }) => value)}::text[])
        as requested (name, value)
      join variable_definitions as definition on lower(definition.dotted_name) = lower(requested.name)`.execute(db)
}

async function requireSecrets(db: Database, manifest: PackageManifest): Promise<void> {
  const { secrets = [] } = isForComputers(manifest) ? manifest : {}
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${secrets}::text[]) as requested (name)
    where not exists (
      select from variable_definitions as definition
      where lower(definition.dotted_name) = lower(requested.name) and definition.is_secret)`.execute(db)
  if (rows[0])
    throw new PackageFault(
      `There is no secret variable ${formatPath(rows[0].name)}. Create it, or correct the name in 'secrets'.`,
    )
}
