import { randomBytes } from 'node:crypto'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import type { World } from '../world/open-world.ts'

/** A request that rolls back a patch of a policy of the group, which these computers have installed. */
export async function rollbackOfPatch(
  { as, given }: Pick<World, 'as' | 'given'>,
  group: { id: string },
  computers: readonly { id: number }[] = [],
) {
  const approver = as('pm.approve', 'pm.read')
  const product = await given.product()
  const patch = await given.patch({ products: [product], release_date: '2026-01-05' })
  const name = `policy ${randomBytes(6).toString('hex')}`
  const { body: policy } = await approver.call(createPatchPolicy, {
    body: { name, rules: [{ name: 'All', action: 'Approve', unconfirmed: true }] },
  })
  await approver.call(assignPatchPolicy, { params: { id: policy.id }, body: { groupId: group.id } })
  for (const computer of computers)
    await given.patchScan(computer, [{ key: patch.key, product: product.name, status: 'Installed' }])
  return { params: { id: policy.id, patchId: patch.id }, body: { rollBack: true } }
}
