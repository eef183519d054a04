import { sql } from 'kysely'
import { tryLockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'

const batchSize = 1000

/**
 * Deletes patches and products that only scans have named and that no computer reports any more, in batches. What a
 * document names, somebody approved or a PM group contains is kept. Returns how many patches it deleted, counted per
 * product.
 */
export async function purgeReportedPatches(db: Database, signal?: AbortSignal): Promise<number> {
  let purged = 0
  for (let count = batchSize; count === batchSize && !signal?.aborted; purged += count)
    count = await db.transaction().execute(async (transaction) => {
      // An import or a scan may be about to refer to such a patch. The next run deletes what this one leaves.
      if (!(await tryLockForTransaction(transaction, 'patchCatalog'))) return 0
      return purgeBatch(transaction)
    })
  return purged
}

async function purgeBatch(db: Database): Promise<number> {
  // `offset 0` makes PostgreSQL probe the index for each link instead of reading all results of all scans.
  const { rows } = await sql<{ patch_id: number; product_id: number }>`
    with doomed as materialized (
      select link.patch_id, link.product_id
      from patch_links link join patches on patches.id = link.patch_id
      where (patches.is_known_by_scan_only or link.reported_by is not null) and link.approved_at is null
        and not exists (
          select from patch_document_links named
          where named.patch_id = link.patch_id and named.product_id = link.product_id)
        and not exists (
          select from pm_group_patches listed
          where listed.patch_id = link.patch_id and listed.product_id = link.product_id)
        and not exists (
          select from computer_patches scanned
          where scanned.patch_id = link.patch_id and scanned.product_id = link.product_id offset 0)
      order by link.patch_id, link.product_id limit ${batchSize} for update of link
    )
    delete from patch_links link using doomed
    where link.patch_id = doomed.patch_id and link.product_id = doomed.product_id
    returning link.patch_id, link.product_id`.execute(db)
  await sql`
    delete from patches
    where id = any(${[...new Set(rows.map(({ patch_id }) => patch_id))]}::integer[]) and is_known_by_scan_only
      and not exists (select from patch_links link where link.patch_id = patches.id)`.execute(db)
  await sql`
    delete from patch_products product
    where id = any(${[...new Set(rows.map(({ product_id }) => product_id))]}::integer[])
      and not exists (select from patch_links link where link.product_id = product.id)
      and not exists (select from patch_document_links named where named.product_id = product.id)`.execute(db)
  return rows.length
}
