import { ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { OsImageSku } from '../../../packages/api/operating-systems/schemas.ts'
import { osImageSkuRows } from '../../../packages/operating-systems.ts'
import { noOsImageSkuAssigned } from '../../problems.ts'

export const getGroupOsImageSku = operation({
  id: 'getGroupOsImageSku',
  route: 'GET /api/group/:id/os-image-sku',
  summary: 'Get the operating system edition (SKU) that is assigned to a group directly',
  description: 'Considers the direct assignment only, not what the group inherits. Answers 404 if there is none.',
  role: 'group.read',
  params: GroupPath,
  returns: ok(OsImageSku),
  problems: [groupNotFound, noOsImageSkuAssigned],
  async handle({ params: { id: groupId }, db }) {
    await requireGroup(db, groupId)
    const sku = await osImageSkuRows(db)
      .innerJoin('group_os_image_skus as assigned', 'assigned.sku_id', 'os_image_skus.id')
      .where('assigned.group_id', '=', groupId)
      .executeTakeFirst()
    if (!sku) throw noOsImageSkuAssigned({ groupId })
    return sku
  },
})
