import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type ReportedPatch, reportedPatches } from './reported-patches.ts'

/** How many patches may be known only because scans report them; the same patch of two products counts twice. */
export type PatchQuotas = {
  /** Patches that one computer was the first to report. Other computers may report them as well. */
  perComputer: number
  /** Patches that any computer was the first to report, by the estimate of PostgreSQL: counting them would take too long. */
  perFleet: number
}

/** Far above what honest computers report, and low enough for a single hostile one to do no harm. */
export const patchQuotas: PatchQuotas = { perComputer: 5_000, perFleet: 500_000 }

/** Returns the patches of the scan without those that would exceed a quota. Patches that are known never do. */
export async function omitPatchesBeyondQuota(
  db: Database,
  computerId: number,
  { patches, json, quotas }: { patches: readonly ReportedPatch[]; json: string; quotas: PatchQuotas },
): Promise<readonly ReportedPatch[]> {
  const { rows } = await sql<{ position: number }>`
    with unknown as (
      select reported.position, dense_rank() over (order by lower(reported.key), lower(reported.product)) as number
      from ${reportedPatches(json)}
      where not exists (
        select from patches
          join patch_links link on link.patch_id = patches.id
          join patch_products products on products.id = link.product_id
        where lower(patches.key) = lower(reported.key) and lower(products.name) = lower(reported.product))
    ), free as (
      select least(
        ${quotas.perComputer} - (select count(*) from patch_links where reported_by = ${computerId}),
        ${quotas.perFleet} - (
          select greatest(reltuples, 0)::bigint from pg_class where oid = 'patch_links_reported_by_idx'::regclass)
      ) as patches
    )
    select position from unknown, free where number > free.patches`.execute(db)
  const omitted = new Set(rows.map(({ position }) => position))
  return omitted.size === 0 ? patches : patches.filter((_, position) => !omitted.has(position))
}
