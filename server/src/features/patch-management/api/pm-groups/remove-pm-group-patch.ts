import { noContent, operation } from '../../../../platform/operation.ts'
import { closed, Id } from '../../../../platform/schema.ts'
import { ProductScope } from '../../../patches/api/schemas.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { affectsPmGroup } from '../../affected-computers.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { cancelUnneededFixWork, listComputersWithWaitingFix, selectComputers } from '../../remediate.ts'
import { patchNotInPmGroup } from './problems.ts'

export const removePmGroupPatch = operation({
  id: 'removePmGroupPatch',
  route: 'DELETE /api/pmgroup/:id/patches/:patchId',
  summary: 'Remove a patch from a patch management group',
  description:
    'Removes the patch for one product version or, without `productId`, for all. Cancels fix work that no other patch ' +
    'requires, unless an agent has started it. The patch stays in the catalog and keeps its approvals.',
  role: 'pm.write',
  massAction: affectsPmGroup,
  params: closed({ id: Id, patchId: Id }),
  query: ProductScope,
  returns: noContent,
  problems: [pmGroupNotFound, patchNotInPmGroup],
  async handle({ params: { id: pmGroupId, patchId }, query: { productId }, db }) {
    await lockPmGroup(db, pmGroupId)
    const waiting = await listComputersWithWaitingFix(db, pmGroupId)
    let removal = db.deleteFrom('pm_group_patches').where('pm_group_id', '=', pmGroupId).where('patch_id', '=', patchId)
    if (productId !== undefined) removal = removal.where('product_id', '=', productId)
    const { numDeletedRows } = await removal.executeTakeFirst()
    if (numDeletedRows === 0n)
      throw patchNotInPmGroup({ pmGroupId, patchId, ...(productId !== undefined && { productId }) })
    await cancelUnneededFixWork(db, selectComputers(waiting))
  },
})
