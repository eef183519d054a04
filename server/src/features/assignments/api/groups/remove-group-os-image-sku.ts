import { noContent, operation } from '../../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassign } from '../../assignments.ts'
import { noOsImageSkuAssigned } from '../../problems.ts'
import { getGroupOsImageSku } from './get-group-os-image-sku.ts'
import { osImageSkuNotAssigned } from './problems.ts'
import { GroupOsImageSkuPath } from './schemas.ts'

export const removeGroupOsImageSku = operation({
  id: 'removeGroupOsImageSku',
  route: 'DELETE /api/group/:id/os-image-sku/:skuId',
  summary: 'Take its SKU of an operating system from a group',
  role: 'group.write',
  params: GroupOsImageSkuPath,
  returns: noContent,
  problems: [groupNotFound, osImageSkuNotAssigned, noOsImageSkuAssigned],
  changes: getGroupOsImageSku,
  async handle({ params: { id: groupId, skuId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassign(db, 'osImageSku', groupId, skuId))) throw osImageSkuNotAssigned({ groupId, skuId })
  },
})
