import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

type PatchFileRow = { patch_id: number; product_id: number; sha256: Buffer; name: string; url: string }

/**
 * The files that patches should have. For each product, they are those of the first document that names any: catalogs in
 * the Muster format take precedence over advisories, then newer documents over older ones.
 */
const namedFiles = (patchIds: readonly number[]): RawBuilder<PatchFileRow> => sql<PatchFileRow>`
  select patch_id, product_id, sha256, name, url
  from (
    select file.*, dense_rank() over (
      partition by file.patch_id, file.product_id
      order by document.format = 'Csaf', document.revised_at desc, document.id desc) as document_rank
    from patch_document_files file join patch_documents document on document.id = file.document_id
    where file.patch_id = any(${patchIds}::integer[])
  ) as ranked
  where document_rank = 1`

/** Updates the files of the patches after documents about them have changed. */
export async function mergeFiles(db: Database, patchIds: readonly number[]): Promise<void> {
  await sql`
    insert into patch_contents (sha256)
    select distinct sha256 from (${namedFiles(patchIds)}) as named order by sha256 on conflict do nothing`.execute(db)
  await sql`
    with named as materialized (${namedFiles(patchIds)}), dropped as (
      delete from patch_files stored
      where stored.patch_id = any(${patchIds}::integer[]) and not exists (
        select from named where named.patch_id = stored.patch_id and named.product_id = stored.product_id
          and named.sha256 = stored.sha256)
    )
    insert into patch_files as stored (patch_id, product_id, sha256, name, url)
    select patch_id, product_id, sha256, name, url from named order by patch_id, product_id, sha256
    on conflict on constraint patch_files_pkey do update set name = excluded.name, url = excluded.url
    where (stored.name, stored.url) <> (excluded.name, excluded.url)`.execute(db)
}
