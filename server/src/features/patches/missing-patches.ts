import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectivePmGroups } from './effective-pm-groups.ts'

export type MissingPatch = { computer_id: number; patch_id: number; product_id: number }

/** What the last scans of all computers found missing. Every reader of missing patches begins here. */
export const missingPatches: RawBuilder<MissingPatch> = sql<MissingPatch>`
  select found.computer_id, found.patch_id, found.product_id from computer_patches found where found.is_missing`

/**
 * Of the missing patches of these computers, those that are released to them: the approved ones of their PM groups, and
 * all of a PM group that is assigned for a test or in an emergency. `computers` selects `owner_id`.
 */
export function releasedMissingPatches(computers: RawBuilder<{ owner_id: number }>): RawBuilder<MissingPatch> {
  return sql<MissingPatch>`
    select distinct missing.computer_id, missing.patch_id, missing.product_id
    from (${effectivePmGroups(computers)}) as effective
      join (${missingPatches}) as missing on missing.computer_id = effective.computer_id
      join pm_group_patches listed on listed.pm_group_id = effective.pm_group_id
        and listed.patch_id = missing.patch_id and listed.product_id = missing.product_id
      join patch_links link on link.patch_id = missing.patch_id and link.product_id = missing.product_id
    where effective.is_test or effective.is_emergency or link.approved_at is not null`
}

export type PatchToFix = { patchId: number; productId: number; key: string; name: string; product: string }

/** Exactly what the fix package has to install on a computer now; read when its work is handed out. */
export async function patchesToFix(db: Database, computerId: number): Promise<PatchToFix[]> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  const { rows } = await sql<PatchToFix>`
    select patches.id as "patchId", products.id as "productId", patches.key, patches.name, products.name as product
    from (${releasedMissingPatches(computer)}) as released
      join patches on patches.id = released.patch_id
      join patch_products products on products.id = released.product_id
    order by patches.id, products.id`.execute(db)
  return rows
}
