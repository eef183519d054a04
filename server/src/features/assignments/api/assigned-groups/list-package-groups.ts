import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { PackagePath } from '../../../packages/api/schemas.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'

export const listPackageGroups = operation({
  id: 'listPackageGroups',
  route: 'GET /api/packages/:id/groups',
  summary: 'List the groups to which a package is assigned directly',
  description: 'Also those that have it as agent template, language pack, boot image, or through one of its editions.',
  role: 'package.read',
  params: PackagePath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [packageNotFound],
  async handle(call) {
    const { params, db } = call
    await requirePackage(db, params.id)
    const groups = db
      .selectFrom('groups')
      .select(['id', 'name', 'tree as assignedToTree', 'parent_id as parentId', 'description'])
      .where(
        sql<boolean>`id in (
          select group_id from group_packages where package_id = ${params.id}
          union all
          select group_id from group_agent_templates where package_id = ${params.id}
          union all
          select group_id from group_language_packs where package_id = ${params.id}
          union all
          select group_id from group_os_image_skus join os_image_skus sku on sku.id = sku_id
          where sku.package_id = ${params.id}
          union all
          select group_id from group_pxe_boot_images join pxe_boot_images image on image.id = image_id
          where image.package_id = ${params.id})`,
      )
    return pageOf(call, groups, { columns: ['id'] })
  },
})
