import { type RawBuilder, sql } from 'kysely'
import { lockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import { mergePatches } from './merge-patches.ts'
import type { PatchDocument } from './patch-document.ts'

export type HashedDocument = PatchDocument & { hash: Buffer }

/** Of the documents with these hashes, those that are known. */
export async function findKnownHashes(db: Database, hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(content_hash, 'hex') as hash from patch_documents
    where content_hash = any(${hashes.map((hash) => `\\x${hash.toString('hex')}`)}::bytea[])`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

/**
 * Writes what documents tell in place of what their revisions before told. Returns how many were taken: of a document in
 * an older revision than the stored one, nothing is. The number of statements does not grow with that of documents.
 */
export async function writeDocuments(db: Database, documents: readonly HashedDocument[]): Promise<number> {
  // One import at a time: what several documents tell about one patch is put together from all of them.
  await lockForTransaction(db, 'patchCatalog')
  const newest = new Map<string, HashedDocument>()
  for (const document of documents) {
    const other = newest.get(document.key)
    if (!other || other.revisedAt <= document.revisedAt) newest.set(document.key, document)
  }
  const ids = await upsertDocuments(db, [...newest.values()])
  if (ids.size === 0) return 0
  const taken = [...newest.values()].filter(({ key }) => ids.has(key))
  const told = taken.flatMap(({ key, patches }) => patches.map((patch) => ({ ...patch, document: ids.get(key) })))
  await addUnknown(db, JSON.stringify(told))
  const before = await forget(db, [...ids.values()])
  const now = await insertTold(db, JSON.stringify(told))
  await mergePatches(db, [...new Set([...before, ...now])])
  return taken.length
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

const toldPatches = (told: string): RawBuilder<unknown> => sql`
  jsonb_to_recordset(${told}::jsonb) as told (document integer, key text, details jsonb, products jsonb)`

const toldProducts = sql`jsonb_to_recordset(told.products) as product (name text, vendor text, "linkItems" integer)`

/** In the order of names, as scans do, so that neither waits for the other both ways. */
async function addUnknown(db: Database, told: string): Promise<void> {
  await sql`
    insert into patch_products (name, vendor)
    select distinct on (lower(product.name)) product.name, product.vendor
    from ${toldPatches(told)}, ${toldProducts}
    where not exists (select from patch_products known where lower(known.name) = lower(product.name))
    order by lower(product.name), product.vendor on conflict do nothing`.execute(db)
  await sql`
    insert into patches (key, name)
    select distinct on (lower(told.key)) told.key, coalesce(told.details ->> 'name', told.key)
    from ${toldPatches(told)}
    where not exists (select from patches known where lower(known.key) = lower(told.key))
    order by lower(told.key) on conflict do nothing`.execute(db)
}

/** Takes away what the documents told until now. Returns the patches that it was about. */
async function forget(db: Database, documentIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ patch_id: number }>`
    delete from patch_document_patches where document_id = any(${documentIds}::integer[]) returning patch_id`.execute(
    db,
  )
  return rows.map(({ patch_id }) => patch_id)
}

async function insertTold(db: Database, told: string): Promise<number[]> {
  const { rows } = await sql<{ patch_id: number }>`
    insert into patch_document_patches (document_id, patch_id, details)
    select distinct on (told.document, patches.id) told.document, patches.id, told.details
    from ${toldPatches(told)} join patches on lower(patches.key) = lower(told.key)
    returning patch_id`.execute(db)
  await sql`
    insert into patch_document_links (document_id, patch_id, product_id, link_items)
    select told.document, patches.id, products.id, max(coalesce(product."linkItems", 1))
    from ${toldPatches(told)} join patches on lower(patches.key) = lower(told.key)
      cross join ${toldProducts}
      join patch_products products on lower(products.name) = lower(product.name)
    group by told.document, patches.id, products.id`.execute(db)
  return rows.map(({ patch_id }) => patch_id)
}
