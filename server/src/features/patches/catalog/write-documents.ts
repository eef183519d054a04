import { type RawBuilder, sql } from 'kysely'
import { lockForTransaction } from '../../../database/advisory-locks.ts'
import { analyzeGrownTables } from '../../../database/after-bulk-write.ts'
import type { Database } from '../../../database/connect.ts'
import { mergeFiles } from '../files/merge-files.ts'
import { recordRulingsOfPatches } from '../policies/rulings.ts'
import { assignKeys } from './assign-keys.ts'
import { mergePatchDetails, mergePatchLinks } from './merge-patches.ts'
import type { DocumentFile, DocumentProduct, PatchDetails, PatchDocument } from './patch-document.ts'
import { insertDocumentFixes, listPatchesFixedBy } from './write-fixes.ts'

export type HashedDocument = PatchDocument & { hash: Buffer }

/** Returns those of the hashes that belong to imported documents, in hexadecimal. */
export async function listKnownHashes(db: Database, hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(content_hash, 'hex') as hash from patch_documents
    where content_hash = any(${hashes.map((hash) => `\\x${hash.toString('hex')}`)}::bytea[])`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

/** The tables that documents fill, and those that are derived from all documents together. */
const tablesOfDocuments = [
  'patches',
  'patch_products',
  'patch_documents',
  'patch_document_patches',
  'patch_document_links',
  'patch_document_files',
  'patch_document_fixes',
] as const
const tablesOfMergedPatches = ['patches', 'patch_links', 'patch_contents', 'patch_files'] as const

/**
 * Writes the patches of the documents, in place of those of earlier revisions. Returns the documents it wrote; it
 * skips revisions that are older than the stored one. The number of statements does not depend on the number of documents.
 */
export async function writeDocuments(db: Database, documents: readonly HashedDocument[]): Promise<HashedDocument[]> {
  // One import at a time: the details of a patch are merged from all documents about it.
  await lockForTransaction(db, 'patchCatalog')
  const newest = new Map<string, HashedDocument>()
  for (const document of documents) {
    const other = newest.get(document.key)
    if (!other || other.revisedAt <= document.revisedAt) newest.set(document.key, document)
  }
  const ids = await upsertDocuments(db, [...newest.values()])
  if (ids.size === 0) return []
  const written = [...newest.values()].filter(({ key }) => ids.has(key))
  const keys = await assignKeys(
    db,
    written.flatMap(({ patches }) => patches),
  )
  const described = written.flatMap(({ key, patches }) =>
    patches.map((patch) => ({
      ...patch,
      key: keys.get(patch) ?? patch.key,
      details: { ...(patch.details.name === undefined && { key: patch.key }), ...patch.details },
      document: ids.get(key) ?? 0,
    })),
  )
  const patches = JSON.stringify(described.map(({ fixes: _, ...patch }) => patch))
  const withVendor = await insertUnknownPatches(db, patches)
  const documentIds = [...ids.values()]
  const fixedBefore = await listPatchesFixedBy(db, documentIds)
  const before = await deleteDocumentPatches(db, documentIds)
  const after = await insertDocumentPatches(db, patches)
  await insertDocumentFixes(
    db,
    described.flatMap(({ document, key, fixes = [] }) => {
      const patchId = after.get(key.toLowerCase()) ?? 0
      return fixes.map((fix, number) => ({ ...fix, documentId: document, patchId, number }))
    }),
  )
  // A catalog may be one document with thousands of patches: the merge of their details needs a plan for that many.
  await analyzeGrownTables(db, tablesOfDocuments)
  const named = [...new Set([...before, ...after.values()])]
  const fixed = await listPatchesFixedBy(db, documentIds)
  const changed = new Set([...named, ...fixedBefore, ...fixed])
  await mergePatchDetails(db, [...changed])
  await mergePatchLinks(db, named)
  await mergeFiles(db, named)
  await analyzeGrownTables(db, tablesOfMergedPatches)
  await recordRulingsOfPatches(db, [...changed.union(new Set(withVendor))])
  return written
}

async function upsertDocuments(db: Database, documents: readonly HashedDocument[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; key: string }>`
    insert into patch_documents as stored (format, key, revised_at, content_hash)
    select * from unnest(${documents.map(({ format }) => format)}::text[], ${documents.map(({ key }) => key)}::text[],
      ${documents.map(({ revisedAt }) => revisedAt)}::timestamptz[],
      ${documents.map(({ hash }) => `\\x${hash.toString('hex')}`)}::bytea[])
    on conflict on constraint patch_documents_key_key do update set format = excluded.format,
      revised_at = excluded.revised_at, content_hash = excluded.content_hash, imported_at = now()
    where stored.revised_at <= excluded.revised_at and stored.content_hash <> excluded.content_hash
    returning id, key`.execute(db)
  return new Map(rows.map(({ id, key }) => [key, id]))
}

type DocumentPatchRow = {
  document: number
  key: string
  publisher: string | null
  details: PatchDetails
  products: DocumentProduct[]
  files: DocumentFile[]
}

/** A `from` item with the alias `patch`: the patches of documents, from JSON. */
const documentPatches = (patches: string): RawBuilder<DocumentPatchRow> => sql<DocumentPatchRow>`
  jsonb_to_recordset(${patches}::jsonb)
    as patch (document integer, key text, publisher text, details jsonb, products jsonb, files jsonb)`

/** A `from` item with the alias `product`: the products in a column of `documentPatches`. */
const documentProducts = (products: 'patch.products'): RawBuilder<DocumentProduct> => sql<DocumentProduct>`
  jsonb_to_recordset(${sql.ref(products)}) as product (name text, vendor text, "linkItems" integer)`

/**
 * Inserts products and patches in the order of their names, like patch scans do: a common order prevents deadlocks. Returns the known
 * patches of products whose vendor was not known before.
 */
async function insertUnknownPatches(db: Database, patches: string): Promise<number[]> {
  await sql`
    insert into patch_products (name, vendor)
    select distinct on (lower(product.name)) product.name, product.vendor
    from ${documentPatches(patches)}, ${documentProducts('patch.products')}
    where not exists (select from patch_products known where lower(known.name) = lower(product.name))
    order by lower(product.name), product.vendor on conflict do nothing`.execute(db)
  // Patch scans name no vendors, and often come first.
  const { rows: withVendor } = await sql<{ patch_id: number }>`
    with named as (
      update patch_products known set vendor = product.vendor
      from ${documentPatches(patches)}, ${documentProducts('patch.products')}
      where lower(known.name) = lower(product.name) and known.vendor is null and product.vendor is not null
      returning known.id
    )
    select distinct patch_id from patch_links join named on named.id = patch_links.product_id`.execute(db)
  await sql`
    insert into patches (key, name, publisher)
    select distinct on (lower(patch.key)) patch.key, coalesce(patch.details ->> 'name', patch.key), patch.publisher
    from ${documentPatches(patches)}
    where not exists (select from patches known where lower(known.key) = lower(patch.key))
    order by lower(patch.key) on conflict do nothing`.execute(db)
  await sql`
    update patches set publisher = patch.publisher from ${documentPatches(patches)}
    where lower(patches.key) = lower(patch.key) and patches.publisher is null
      and patch.publisher is not null`.execute(db)
  return withVendor.map(({ patch_id }) => patch_id)
}

/** Deletes the patches of the documents. Returns the ids of these patches. */
async function deleteDocumentPatches(db: Database, documentIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ patch_id: number }>`
    delete from patch_document_patches where document_id = any(${documentIds}::integer[]) returning patch_id`.execute(
    db,
  )
  return rows.map(({ patch_id }) => patch_id)
}

/** Inserts the patches of documents and their products. Returns the ids of these patches by key, in lower case. */
async function insertDocumentPatches(db: Database, patches: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ patch_id: number; key: string }>`
    with inserted as (
      insert into patch_document_patches (document_id, patch_id, details)
      select distinct on (patch.document, patches.id) patch.document, patches.id, patch.details
      from ${documentPatches(patches)} join patches on lower(patches.key) = lower(patch.key)
      returning patch_id
    )
    select patch_id, patches.key from inserted join patches on patches.id = patch_id`.execute(db)
  await sql`
    insert into patch_document_links (document_id, patch_id, product_id, link_items)
    select patch.document, patches.id, products.id, max(coalesce(product."linkItems", 1))
    from ${documentPatches(patches)} join patches on lower(patches.key) = lower(patch.key)
      cross join ${documentProducts('patch.products')}
      join patch_products products on lower(products.name) = lower(product.name)
    group by patch.document, patches.id, products.id`.execute(db)
  await insertDocumentFiles(db, patches)
  return new Map(rows.map(({ patch_id, key }) => [key.toLowerCase(), patch_id]))
}

/** Inserts the files of patches, each for the products that it is for. */
async function insertDocumentFiles(db: Database, patches: string): Promise<void> {
  await sql`
    insert into patch_document_files (document_id, patch_id, product_id, sha256, name, url)
    select distinct on (link.document_id, link.patch_id, link.product_id, file.sha256)
      link.document_id, link.patch_id, link.product_id, decode(file.sha256, 'hex'), file.name, file.url
    from ${documentPatches(patches)} join patches on lower(patches.key) = lower(patch.key)
      cross join jsonb_to_recordset(patch.files) as file (url text, name text, sha256 text, product text)
      join patch_document_links link on link.document_id = patch.document and link.patch_id = patches.id
      join patch_products products on products.id = link.product_id
    where file.product is null or lower(file.product) = lower(products.name)
    order by link.document_id, link.patch_id, link.product_id, file.sha256, file.url`.execute(db)
}
