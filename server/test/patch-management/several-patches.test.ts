import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { approvePatches } from '../../src/features/patch-management/api/approval/approve-patches.ts'
import { revokePatches } from '../../src/features/patch-management/api/approval/revoke-patches.ts'
import { listPmGroupPatches } from '../../src/features/patch-management/api/pm-groups/list-pm-group-patches.ts'
import { listPatchProducts } from '../../src/features/patches/api/list-patch-products.ts'
import { fingerprints } from '../world/tables.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, fleet, given, listPatchIdsToFix, scannablePatch } = await openPatchWorld()
const approver = as('pm.approve')
const editor = as('pm.approve', 'pm.write')

const isApproved = async (patchId: number) => {
  const { body } = await as('pm.read').call(listPatchProducts, { params: { patchId } })
  return body.items.map((one) => one.isApproved)
}
const contentOf = async ({ id }: { id: number }) =>
  (await as('pm.read').call(listPmGroupPatches, { params: { id } })).body.items.map(({ patchId }) => patchId).sort()
const link = ({ id, productId }: { id: number; productId: number }) => ({ patchId: id, productId })

test('several patches are approved for all their products and put into a PM group, with the computers that they reach', async () => {
  const { group, computer, other } = await fleet({ computers: 3 })
  const outside = await given.computer()
  const [first, second] = [await scannablePatch(), await scannablePatch()]
  for (const one of [computer, outside]) await given.patchScan(one, [first.missing, second.missing])
  await given.patchScan(other, [first.installed, second.installed])
  const pmGroup = await given.pmGroup()
  await given.pmAssignment(pmGroup, group)
  const body = { patchIds: [first.id, second.id], pmGroupId: pmGroup.id }

  const tried = await editor.call(approvePatches, { body, query: { dryRun: true } })
  const approved = await editor.call(approvePatches, { body, query: { expectedCount: 1 } })

  expect(tried.headers['muster-affected-computers']).toBe('1')
  expect(approved.body).toMatchObject({
    ...{ patchCount: 2, pmGroupId: pmGroup.id, otherCategory: 0, lackingComputers: 2, reachedComputers: 1 },
    newApprovals: [link(first), link(second)],
    added: [link(first), link(second)],
    withoutGroupCount: 0,
  })
  expect(await contentOf(pmGroup)).toEqual([first.id, second.id].sort())
  expect((await listPatchIdsToFix(computer)).sort()).toEqual([first.id, second.id].sort())
  expect(await listPatchIdsToFix(outside)).toEqual([])
})

test('the approval of patches that no PM group brings anywhere names them and says that it reaches nobody', async () => {
  const { computer } = await fleet()
  const patch = await scannablePatch({ name: 'lonely' })
  await given.patchScan(computer, [patch.missing])
  await given.pmGroup({ patches: [{ id: patch.id, productId: patch.product.id }] })

  const { body, headers } = await approver.call(approvePatches, {
    body: { patchIds: [patch.id] },
    query: { dryRun: true },
  })
  const single = await approver.call(approvePatch, {
    params: { patchId: patch.id },
    query: { productId: patch.product.id },
  })

  expect(headers['muster-affected-computers']).toBe('0')
  expect(body).toMatchObject({
    ...{ lackingComputers: 1, reachedComputers: 0, withoutGroupCount: 1 },
    withoutGroup: [{ patchId: patch.id, patchName: 'lonely' }],
  })
  expect(single.body).toMatchObject({ reachedComputers: 0 })
})

test('the approval of one patch says how many computers it reaches through PM groups', async () => {
  const { group, computer, other } = await fleet()
  const patch = await scannablePatch()
  for (const one of [computer, other]) await given.patchScan(one, [patch.missing])
  const pmGroup = await given.pmGroup({ patches: [{ id: patch.id, productId: patch.product.id }] })
  await given.pmAssignment(pmGroup, group)

  const { body } = await approver.call(approvePatch, {
    params: { patchId: patch.id },
    query: { productId: patch.product.id },
  })

  expect(body).toMatchObject({ reachedComputers: 2 })
})

test('a service pack is approved, but not put into a PM group for patches', async () => {
  const [patch, servicePack] = [await given.patch(), await given.patch({ is_service_pack: true })]
  const pmGroup = await given.pmGroup()

  const { body } = await editor.call(approvePatches, {
    body: { patchIds: [patch.id, servicePack.id], pmGroupId: pmGroup.id },
  })

  expect(body).toMatchObject({ newApprovals: [link(patch), link(servicePack)], added: [link(patch)], otherCategory: 1 })
  expect(await contentOf(pmGroup)).toEqual([patch.id])
})

test('a revocation takes back what an approval has changed, and nothing that was there before', async () => {
  const [before, fresh] = [await given.patch({ approved: true }), await given.patch()]
  const pmGroup = await given.pmGroup({ patches: [before] })
  const { body } = await editor.call(approvePatches, {
    body: { patchIds: [before.id, fresh.id], pmGroupId: pmGroup.id },
  })

  const revoked = await editor.call(revokePatches, {
    body: { approvals: body.newApprovals, pmGroupId: pmGroup.id, pmGroupPatches: body.added },
  })

  expect(revoked.body).toEqual({ revoked: 1, removed: 1 })
  expect([await isApproved(before.id), await isApproved(fresh.id)]).toEqual([[true], [false]])
  expect(await contentOf(pmGroup)).toEqual([before.id])
})

test('a revocation of several patches cancels the fix work that nothing needs any more', async () => {
  const { group, computer } = await fleet()
  const patch = await scannablePatch()
  const pmGroup = await given.pmGroup()
  await given.pmAssignment(pmGroup, group)
  const { body } = await editor.call(approvePatches, { body: { patchIds: [patch.id], pmGroupId: pmGroup.id } })
  await given.patchScan(computer, [patch.missing])
  expect(await listPatchIdsToFix(computer)).toEqual([patch.id])

  await approver.call(revokePatches, { body: { approvals: body.newApprovals } })

  expect(await listPatchIdsToFix(computer)).toEqual([])
})

test('approving into a PM group needs the right to change it, and an unknown patch or group changes nothing', async () => {
  const [patch, pmGroup] = [await given.patch(), await given.pmGroup()]
  const before = await fingerprints(db)
  const call = (caller: typeof approver, body: { patchIds: number[]; pmGroupId?: number }) =>
    caller.call(approvePatches, { body })

  expect((await call(approver, { patchIds: [patch.id], pmGroupId: pmGroup.id })).status).toBe(403)
  expect(await call(editor, { patchIds: [patch.id, 2_000_000_000] })).toMatchObject({ problem: 'PatchNotFound' })
  expect(await call(editor, { patchIds: [patch.id], pmGroupId: 2_000_000_000 })).toMatchObject({
    problem: 'PmGroupNotFound',
  })
  expect(await fingerprints(db)).toEqual(before)
})
