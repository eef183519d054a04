import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectivePmGroups } from './effective-pm-groups.ts'
import { hasOnlyPreviousScan, type MissingPatch, missingPatches } from './missing-patches.ts'
import { effectiveRulings, isReleasedByRuling } from './policies/effective-rulings.ts'

/**
 * The missing patches that are released to the computers, by a PM group or by a patch policy. A patch of an effective PM group is
 * released if it is approved for the product, or if the PM group is assigned as a test or for an emergency. What the system before
 * lacked is not fixed on a new one.
 */
export function releasedMissingPatches(computers: RawBuilder<{ owner_id: number }>): RawBuilder<MissingPatch> {
  return sql<MissingPatch>`
    select missing.computer_id, missing.patch_id, missing.product_id
    from (${effectivePmGroups(computers)}) as effective
      join (${missingPatches}) as missing on missing.computer_id = effective.computer_id
      join pm_group_patches listed on listed.pm_group_id = effective.pm_group_id
        and listed.patch_id = missing.patch_id and listed.product_id = missing.product_id
      join patch_links link on link.patch_id = missing.patch_id and link.product_id = missing.product_id
    where (effective.is_test or effective.is_emergency or link.approved_at is not null)
      and not ${hasOnlyPreviousScan('effective.computer_id')}
    union
    select ruling.computer_id, ruling.patch_id, ruling.product_id
    from (${effectiveRulings(computers)}) as ruling
      join patch_links link on link.patch_id = ruling.patch_id and link.product_id = ruling.product_id
    where ${isReleasedByRuling('ruling', 'link')} and not ${hasOnlyPreviousScan('ruling.computer_id')}`
}

export type PatchToFix = { patchId: number; productId: number; key: string; name: string; product: string }

/**
 * The patches that a fix package installs on the computer, read when its work is leased. Keys and products are spelled as
 * the computer itself reported them: package managers distinguish case, and another computer may have been the first to
 * report the patch. For the same reason, a name that only a scan has reported is not used.
 */
export async function listPatchesToFix(db: Database, computerId: number): Promise<PatchToFix[]> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  const { rows } = await sql<PatchToFix>`
    select patches.id as "patchId", products.id as "productId", own.key,
      case when patches.is_known_by_scan_only then own.key else patches.name end as name, own.product
    from (${releasedMissingPatches(computer)}) as released
      join patches on patches.id = released.patch_id
      join patch_products products on products.id = released.product_id
      join computer_patches scanned on scanned.computer_id = released.computer_id
        and scanned.patch_id = released.patch_id and scanned.product_id = released.product_id
      cross join lateral (
        select coalesce(scanned.reported_key, patches.key) as key, coalesce(scanned.reported_product, products.name) as product
      ) as own
    order by patches.id, products.id`.execute(db)
  return rows
}
