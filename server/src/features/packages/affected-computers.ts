import { type RawBuilder, sql } from 'kysely'
import { type AffectedComputers, computersBelow } from '../groups/affected-computers.ts'

/** The groups to which the package or one of its parts is assigned directly, whatever its kind. */
export function groupsAssigningPackage(packageId: string): RawBuilder<{ group_id: string }> {
  return sql`
    select group_id from group_packages where package_id = ${packageId}
    union all
    select group_id from group_agent_templates where package_id = ${packageId}
    union all
    select group_id from group_language_packs where package_id = ${packageId}
    union all
    select group_id from group_os_image_skus join os_image_skus sku on sku.id = sku_id
    where sku.package_id = ${packageId}
    union all
    select group_id from group_pxe_boot_images join pxe_boot_images image on image.id = image_id
    where image.package_id = ${packageId}`
}

/**
 * The computers in groups that assign the package directly, through a software class or because another package requires it, and in
 * the groups below them.
 */
export function computersWithPackage(packageId: string): AffectedComputers {
  return computersBelow(sql`select group_id from assigned_packages where package_id = ${packageId}`)
}
