import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { withoutIndexes } from './without-indexes.ts'

export const patchCount = 20_000
export const rowsPerComputer = 40

/** Adds a catalog of patches for 20 products, PM groups on all levels of the tree, and a scan of every computer. */
export async function growPatches(db: Database): Promise<void> {
  await sql`insert into patch_products (name) select 'Product ' || n from generate_series(1, 20) n`.execute(db)
  await sql`
    insert into patches (key, name, q_number, bulletin_id, vendor_severity, patch_type, cvss_score, release_date)
    select 'KB' || (5000000 + n), 'Update ' || n || ' of a product', 'KB' || (5000000 + n), 'B-' || n / 4,
      (array['Low', 'Moderate', 'Important', 'Critical'])[n % 4 + 1],
      case when n % 3 = 0 then 'SecurityPatch' else 'NonSecurityPatch' end, n % 100 / 10.0, date '2020-01-01' + n % 2000
    from generate_series(1, ${patchCount}::integer) n`.execute(db)
  await sql`
    insert into patch_links (patch_id, product_id, link_items, approved_at)
    select p.id, p.id % 20 + 1, 1 + p.id % 3, case when p.id % 2 = 0 then now() end from patches p`.execute(db)
  await sql`
    insert into pm_groups (name, category) select 'PM group ' || n, 'Patch' from generate_series(1, 50) n`.execute(db)
  await sql`
    insert into pm_group_patches (pm_group_id, patch_id, product_id)
    select patch_id % 50 + 1, patch_id, product_id from patch_links`.execute(db)
  await sql`
    insert into pm_group_assignments (pm_group_id, group_id, is_test)
    select pm.id, g.id, g.depth = 3 from pm_groups pm
      join (select id, depth, row_number() over (order by path) as n from groups) g on (g.n + pm.id) % 200 = 0`.execute(
    db,
  )
  await addScans(db)
  await sql`vacuum analyze`.execute(db)
}

async function addScans(db: Database): Promise<void> {
  await withoutIndexes(
    db,
    ['computer_patches_patch_id_idx', 'computer_patches_missing_idx'],
    [
      sql`
        insert into patch_scans (computer_id, scanned_at, definition_version)
        select id, now() - interval '1 hour', '2026.03' from computers`,
      // Each computer has a part of the catalog, so each patch is on about 200 computers.
      sql`
        insert into computer_patches (computer_id, patch_id, product_id, is_missing, installed_at)
        select c.id, patch_id, patch_id % 20 + 1, n % 4 = 0, case when n % 4 <> 0 then now() end
        from computers c, generate_series(0, ${rowsPerComputer - 1}::integer) n,
          lateral (select (c.id * 37 + n * 491) % ${patchCount}::integer + 1 as patch_id) as found
        order by c.id, patch_id`,
    ],
  )
}
