import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { AffectedComputers } from '../groups/affected-computers.ts'
import { hasOnlyPreviousScan, missingPatches } from '../patches/missing-patches.ts'

/** Patches, each for a product version. */
export type PatchLinks = RawBuilder<{ patch_id: number; product_id: number }>

/** All product versions of the patches. */
export function linksOf(patchIds: readonly number[]): PatchLinks {
  return sql`select patch_id, product_id from patch_links where patch_id = any(${patchIds}::integer[])`
}

/** One product version of a patch. */
export function linkOf(patchId: number, productId: number): PatchLinks {
  return sql`select ${patchId}::integer as patch_id, ${productId}::integer as product_id`
}

/**
 * The computers that lack one of the patches and get it once it is approved: a PM group that contains it is assigned to them.
 * A given PM group counts as if it contained those patches that it may contain.
 */
export function computersReachedBy(links: PatchLinks, pmGroupId: number | null = null): AffectedComputers {
  return sql`
    with wanted as materialized (
      ${links}
    ), listed as materialized (
      select content.pm_group_id, content.patch_id, content.product_id
      from pm_group_patches content join wanted using (patch_id, product_id)
      union
      select pm_groups.id, wanted.patch_id, wanted.product_id
      from wanted
        join patches on patches.id = wanted.patch_id
        join pm_groups on pm_groups.id = ${pmGroupId}::integer and (pm_groups.category = 'ServicePack') = patches.is_service_pack
    ), assigned as materialized (
      select distinct assignment.pm_group_id, member.computer_id
      from pm_group_assignments assignment
        join group_ancestors above on above.ancestor_id = assignment.group_id
        join effective_memberships member on member.group_id = above.descendant_id
      where assignment.pm_group_id in (select pm_group_id from listed)
    )
    select computer_id from (
      select distinct missing.computer_id
      from listed
        join (${missingPatches}) as missing on missing.patch_id = listed.patch_id and missing.product_id = listed.product_id
        join assigned on assigned.pm_group_id = listed.pm_group_id and assigned.computer_id = missing.computer_id
    ) as lacking
    where not ${hasOnlyPreviousScan('lacking.computer_id')}`
}

export async function countReachedBy(db: Database, links: PatchLinks): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${computersReachedBy(links)}) as reached`.execute(db)
  return rows[0]?.count ?? 0
}
