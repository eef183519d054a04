import { sql } from 'kysely'
import { tryLockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'

const batchSize = 1000

type ReportedLink = { patch_id: number; product_id: number }

/** Whether only scans have named a link, an alias of the query, and nobody needs it. */
const isUnused = sql<boolean>`
  link.approved_at is null
  and (link.reported_by is not null
    or exists (select from patches where patches.id = link.patch_id and patches.is_known_by_scan_only))
  and not exists (
    select from patch_document_links named
    where named.patch_id = link.patch_id and named.product_id = link.product_id offset 0)
  and not exists (
    select from pm_group_patches listed
    where listed.patch_id = link.patch_id and listed.product_id = link.product_id offset 0)
  and not exists (
    select from computer_patches scanned
    where scanned.patch_id = link.patch_id and scanned.product_id = link.product_id offset 0)`

/**
 * Deletes patches and products that only scans have named and that no computer reports any more, in batches. What a
 * document names, somebody approved or a PM group contains is kept. Returns how many patches it deleted, counted per
 * product.
 */
export async function purgeReportedPatches(db: Database, signal?: AbortSignal): Promise<number> {
  let purged = 0
  let last: ReportedLink | undefined = { patch_id: 0, product_id: 0 }
  while (last && !signal?.aborted) {
    // Imports and scans wait for the lock, so the slow search runs before it is taken.
    const links: ReportedLink[] = await listUnusedLinks(db, last)
    purged += await db.transaction().execute(async (transaction) => {
      // The next run deletes what this one leaves.
      if (!(await tryLockForTransaction(transaction, 'patchCatalog'))) return 0
      return deleteUnusedLinks(transaction, links)
    })
    last = links[batchSize - 1]
  }
  return purged
}

async function listUnusedLinks(db: Database, { patch_id, product_id }: ReportedLink): Promise<ReportedLink[]> {
  const { rows } = await sql<ReportedLink>`
    select link.patch_id, link.product_id from patch_links link
    where (link.patch_id, link.product_id) > (${patch_id}, ${product_id}) and ${isUnused}
    order by link.patch_id, link.product_id limit ${batchSize}`.execute(db)
  return rows
}

async function deleteUnusedLinks(db: Database, links: readonly ReportedLink[]): Promise<number> {
  const patchIds = links.map((link) => link.patch_id)
  const productIds = links.map((link) => link.product_id)
  const { numAffectedRows } = await sql`
    with doomed as materialized (
      select link.patch_id, link.product_id
      from unnest(${patchIds}::integer[], ${productIds}::integer[]) as candidate (patch_id, product_id)
        join patch_links link using (patch_id, product_id)
      where ${isUnused} order by link.patch_id, link.product_id for update of link
    )
    delete from patch_links link using doomed
    where link.patch_id = doomed.patch_id and link.product_id = doomed.product_id`.execute(db)
  await sql`
    delete from patches where id = any(${patchIds}::integer[]) and is_known_by_scan_only
      and not exists (select from patch_links link where link.patch_id = patches.id)`.execute(db)
  await sql`
    delete from patch_products product where id = any(${productIds}::integer[])
      and not exists (select from patch_links link where link.product_id = product.id)
      and not exists (select from patch_document_links named where named.product_id = product.id)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
