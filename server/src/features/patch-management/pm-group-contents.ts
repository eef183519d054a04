import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { patchColumns } from '../patches/patch-rows.ts'

/** The patches of a PM group in the shape of the API. */
export function pmGroupPatchRows(db: Database, pmGroupId: number) {
  return db
    .selectFrom('pm_group_patches')
    .innerJoin('patches', 'patches.id', 'pm_group_patches.patch_id')
    .innerJoin('patch_products', 'patch_products.id', 'pm_group_patches.product_id')
    .innerJoin('patch_links', (join) =>
      join
        .onRef('patch_links.patch_id', '=', 'pm_group_patches.patch_id')
        .onRef('patch_links.product_id', '=', 'pm_group_patches.product_id'),
    )
    .where('pm_group_patches.pm_group_id', '=', pmGroupId)
    .select(patchColumns)
    .select([
      'patch_products.id as productId',
      'patch_products.name as productName',
      'patch_links.link_items as linkItems',
      sql<boolean>`patch_links.approved_at is not null`.as('isApproved'),
      'patches.is_service_pack as isServicePack',
    ])
}

/** The assignments of a PM group in the shape of the API. */
export function pmGroupAssignmentRows(db: Database, pmGroupId: number) {
  return db
    .selectFrom('pm_group_assignments')
    .innerJoin('groups', 'groups.id', 'pm_group_assignments.group_id')
    .where('pm_group_assignments.pm_group_id', '=', pmGroupId)
    .select([
      'pm_group_assignments.pm_group_id as pmGroupId',
      'groups.id as treeId',
      'groups.name as groupName',
      'groups.path as groupPath',
      'pm_group_assignments.is_test as isTestAssignment',
      'pm_group_assignments.is_emergency as isEmergency',
      'pm_group_assignments.assigned_at as assignedUtc',
    ])
}
