import { type RawBuilder, sql } from 'kysely'

type AssignedPackage = {
  group_id: string
  package_id: string
  /** Set if a computer can have only one package of the kind. */
  single_kind: string | null
}

/** The packages of all assignments of groups: of the package itself, of a class that contains it, or of a part of it. */
export const assignedPackages: RawBuilder<AssignedPackage> = sql`
  select group_id, package_id, null as single_kind from group_packages
  union all
  select group_id, package_id, null from group_language_packs
  union all
  select assignment.group_id, member.package_id, null
  from group_software_classes assignment join software_class_packages member on member.class_id = assignment.class_id
  union all
  select group_id, package_id, 'AgentTemplate' from group_agent_templates
  union all
  select assignment.group_id, sku.package_id, 'OperatingSystem'
  from group_os_image_skus assignment join os_image_skus sku on sku.id = assignment.sku_id
  union all
  select assignment.group_id, image.package_id, 'PxeBootImage'
  from group_pxe_boot_images assignment join pxe_boot_images image on image.id = assignment.image_id`
