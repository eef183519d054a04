import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { patchFileRows } from '../../patches/files/patch-file-rows.ts'
import { patchProductRows } from '../../patches/patch-rows.ts'

const maxRows = 200

/** The product versions of a patch with the kept counts of computers. */
export function listProductsOfPatch(db: Database, patchId: number) {
  return patchProductRows(db)
    .leftJoin('patch_counts', (join) =>
      join
        .onRef('patch_counts.patch_id', '=', 'patch_links.patch_id')
        .onRef('patch_counts.product_id', '=', 'patch_links.product_id'),
    )
    .select([
      sql<number>`coalesce(patch_counts.missing, 0)`.as('missing'),
      sql<number>`coalesce(patch_counts.installed, 0)`.as('installed'),
    ])
    .where('patch_links.patch_id', '=', patchId)
    .orderBy(sql`coalesce(patch_counts.missing, 0)`, 'desc')
    .orderBy('patch_products.name')
    .orderBy('patch_products.id')
    .limit(maxRows)
    .execute()
}

export function listFilesOfPatch(db: Database, patchId: number) {
  return patchFileRows(db)
    .where('patch_files.patch_id', '=', patchId)
    .orderBy('patch_files.name')
    .orderBy('patch_files.product_id')
    .orderBy('patch_files.sha256')
    .limit(maxRows)
    .execute()
}

type PmGroupOfPatch = { pmGroupId: number; pmGroupName: string; productId: number; productName: string }

export async function listPmGroupsOfPatch(db: Database, patchId: number): Promise<PmGroupOfPatch[]> {
  return db
    .selectFrom('pm_group_patches')
    .innerJoin('pm_groups', 'pm_groups.id', 'pm_group_patches.pm_group_id')
    .innerJoin('patch_products', 'patch_products.id', 'pm_group_patches.product_id')
    .where('pm_group_patches.patch_id', '=', patchId)
    .select([
      'pm_groups.id as pmGroupId',
      'pm_groups.name as pmGroupName',
      'patch_products.id as productId',
      'patch_products.name as productName',
    ])
    .orderBy('pm_groups.name')
    .orderBy('patch_products.name')
    .orderBy('patch_products.id')
    .limit(maxRows)
    .execute()
}
