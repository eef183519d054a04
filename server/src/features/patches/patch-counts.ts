import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/**
 * Counts for each patch and product version how many computers lack it and how many have it, and records what has changed
 * since the last count. Only one transaction may count at a time.
 */
export async function recordPatchCounts(db: Database): Promise<void> {
  await sql`
    with counted as materialized (
      select patch_id, product_id, count(*) filter (where is_missing)::integer as missing,
        count(*) filter (where not is_missing)::integer as installed
      from computer_patches group by 1, 2
    ), vanished as (
      delete from patch_counts kept where not exists (
        select from counted where counted.patch_id = kept.patch_id and counted.product_id = kept.product_id)
    )
    insert into patch_counts as kept (patch_id, product_id, missing, installed)
    select patch_id, product_id, missing, installed from counted
    on conflict on constraint patch_counts_pkey do update set missing = excluded.missing, installed = excluded.installed
    where (kept.missing, kept.installed) is distinct from (excluded.missing, excluded.installed)`.execute(db)
}
