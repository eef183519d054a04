import { expect, test } from 'vitest'
import { approvePatch } from '../../../src/features/patch-management/api/approval/approve-patch.ts'
import { revokePatchApproval } from '../../../src/features/patch-management/api/approval/revoke-patch-approval.ts'
import { openAgentWorld } from './agent-world.ts'

const { agent, as, given, letTimePass, readyPackage, work } = await openAgentWorld()

/** An agent with work of a fix package, whose last scan found one patch missing that its PM group lists. */
async function withMissingPatch({ approved }: { approved: boolean }) {
  const computer = await agent()
  const group = await given.group()
  await given.member(group, computer)
  const fix = await readyPackage({ kind: 'PatchFix' })
  const [product, other] = [await given.product(), await given.product()]
  const patch = await given.patch({ products: [product, other], approved })
  await given.pmAssignment(await given.pmGroup({ patches: [{ id: patch.id, productId: product.id }] }), group)
  await given.patchScan(computer, [
    { key: patch.key, product: product.name, status: 'Missing' },
    { key: patch.key, product: other.name, status: 'Missing' },
  ])
  const handed = async () => (await computer.contact()).body.work.map(({ workId }) => workId)
  const scope = { params: { patchId: patch.id }, query: { productId: product.id } }
  return { ...computer, computer, patch, product, handed, scope, workId: await work(computer, fix) }
}

test('a fix package is handed out only when a missing patch is released to the computer', async () => {
  const { handed, workId, scope } = await withMissingPatch({ approved: false })

  const before = await handed()
  await as('pm.approve').call(approvePatch, scope)

  expect(before).toEqual([])
  expect(await handed()).toEqual([workId])
})

test('a fix package without anything to fix keeps no other package back', async () => {
  const { handed, computer } = await withMissingPatch({ approved: false })
  const other = await work(computer, await readyPackage())

  expect(await handed()).toEqual([other])
})

test('the start of a fix tells exactly the patches that are missing and released at that moment', async () => {
  const { handed, start, workId, patch, product, scope } = await withMissingPatch({ approved: true })
  await handed()

  const atFirst = await start(workId)
  await as('pm.approve').call(revokePatchApproval, scope)
  const afterwards = await start(workId)

  const { id: patchId, key } = patch
  expect(atFirst.body.patches).toEqual([
    { patchId, productId: product.id, key, name: expect.any(String), product: product.name },
  ])
  expect(afterwards.body.patches).toEqual([])
})

test('a fix that is not released any more is not handed out again after its lease', async () => {
  const { handed, workId, scope } = await withMissingPatch({ approved: true })
  await handed()
  await as('pm.approve').call(revokePatchApproval, scope)

  await letTimePass(workId)

  expect(await handed()).toEqual([])
})

test('the start of other work tells no patches', async () => {
  const { handed, start, computer } = await withMissingPatch({ approved: true })
  const plain = await work(computer, await readyPackage())
  const refresh = await work(computer, { id: null }, { kind: 'Refresh' })
  await handed()

  for (const workId of [plain, refresh]) expect((await start(workId)).body.patches).toEqual([])
})
