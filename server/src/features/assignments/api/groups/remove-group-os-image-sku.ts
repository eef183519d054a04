import { noContent, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassignFromGroup } from '../../assign-to-group.ts'
import { noOsImageSkuAssigned } from '../../problems.ts'
import { getGroupOsImageSku } from './get-group-os-image-sku.ts'
import { osImageSkuNotAssigned } from './problems.ts'
import { GroupOsImageSkuPath } from './schemas.ts'

export const removeGroupOsImageSku = operation({
  id: 'removeGroupOsImageSku',
  route: 'DELETE /api/group/:id/os-image-sku/:skuId',
  summary: 'Remove the operating system edition (SKU) from a group',
  description:
    'Removes the direct assignment only: what the group inherits from its ancestors stays effective. Open work that nothing else justifies is cancelled.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupOsImageSkuPath,
  returns: noContent,
  problems: [groupNotFound, osImageSkuNotAssigned, noOsImageSkuAssigned],
  changes: getGroupOsImageSku,
  async handle({ params: { id: groupId, skuId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassignFromGroup(db, 'osImageSku', groupId, skuId))) throw osImageSkuNotAssigned({ groupId, skuId })
  },
})
