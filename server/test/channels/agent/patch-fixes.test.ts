import { expect, test } from 'vitest'
import { listDistributionHistory } from '../../../src/features/deployments/api/history/list-distribution-history.ts'
import { approvePatch } from '../../../src/features/patch-management/api/approval/approve-patch.ts'
import { revokePatchApproval } from '../../../src/features/patch-management/api/approval/revoke-patch-approval.ts'
import { openAgentWorld } from './agent-world.ts'

const { agent, as, given, letTimePass, readyPackage, work } = await openAgentWorld()

/** An agent with work for a fix package, whose last scan found a missing patch that its PM group lists. */
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
  const contactForWork = async () => (await computer.contact()).body.work.map(({ workId }) => workId)
  const scope = { params: { patchId: patch.id }, query: { productId: product.id } }
  return { ...computer, computer, patch, product, contactForWork, scope, workId: await work(computer, fix) }
}

test('a fix package is handed out only when a missing patch is released to the computer', async () => {
  const { contactForWork, workId, scope } = await withMissingPatch({ approved: false })

  const before = await contactForWork()
  await as('pm.approve').call(approvePatch, scope)

  expect(before).toEqual([])
  expect(await contactForWork()).toEqual([workId])
})

test('a contact brings no content of a fix package, whose patches are chosen when it starts', async () => {
  const { exchange, workId } = await withMissingPatch({ approved: true })

  const { work: leased } = (await exchange()).body

  expect(leased).toMatchObject([{ workId }])
  expect(leased[0]).not.toHaveProperty('content')
})

test('a fix package without patches to fix does not delay other packages', async () => {
  const { contactForWork, computer } = await withMissingPatch({ approved: false })
  const other = await work(computer, await readyPackage())

  expect(await contactForWork()).toEqual([other])
})

test('starting a fix package returns exactly the patches that are missing and released at that moment', async () => {
  const { contactForWork, start, workId, patch, product, scope } = await withMissingPatch({ approved: true })
  await contactForWork()

  const atFirst = await start(workId)
  await as('pm.approve').call(revokePatchApproval, scope)
  const afterwards = await start(workId)

  const { id: patchId, key } = patch
  expect(atFirst.body.patches).toEqual([
    { patchId, productId: product.id, key, name: expect.any(String), product: product.name, files: [] },
  ])
  expect(afterwards.body.patches).toEqual([])
})

test('the history has one event with the number of each patch that a fix installed or could not install', async () => {
  const computer = await agent()
  const group = await given.group()
  await given.member(group, computer)
  const product = await given.product()
  const [installed, refused] = [
    await given.patch({ q_number: 'KB5034441', products: [product], approved: true }),
    await given.patch({ key: 'openssl 3.0.16', q_number: null, products: [product], approved: true }),
  ]
  await given.pmAssignment(await given.pmGroup({ patches: [installed, refused] }), group)
  const reported = (patch: { key: string }, status: 'Missing' | 'Installed') => ({
    key: patch.key,
    product: product.name,
    status,
  })
  await given.patchScan(computer, [reported(installed, 'Missing'), reported(refused, 'Missing')])
  const workId = await work(computer, await readyPackage({ kind: 'PatchFix' }))
  await computer.contact()
  await computer.start(workId)

  await given.patchScan(computer, [reported(installed, 'Installed'), reported(refused, 'Missing')])
  await computer.report(workId, { status: 'Failed', exitCode: 1, commandLine: 'sh fix.sh' })

  const { body } = await as('computer.read').call(listDistributionHistory, { params: { id: computer.id } })
  expect(body.items.map(({ result, kbNumber, info }) => ({ result, kbNumber, info }))).toEqual([
    { result: 'Failed', kbNumber: null, info: 'sh fix.sh' },
    { result: 'Failed', kbNumber: 'openssl 3.0.16', info: 'sh fix.sh' },
    { result: 'Success', kbNumber: 'KB5034441', info: 'sh fix.sh' },
    { result: 'Running', kbNumber: null, info: null },
  ])
})

test('a fix package is not handed out again after its lease when its patches are no longer released', async () => {
  const { contactForWork, workId, scope } = await withMissingPatch({ approved: true })
  await contactForWork()
  await as('pm.approve').call(revokePatchApproval, scope)

  await letTimePass(workId)

  expect(await contactForWork()).toEqual([])
})

test('starting other work returns no patches', async () => {
  const { contactForWork, start, computer } = await withMissingPatch({ approved: true })
  const plain = await work(computer, await readyPackage())
  const refresh = await work(computer, { id: null }, { kind: 'Refresh' })
  await contactForWork()

  for (const workId of [plain, refresh]) expect((await start(workId)).body.patches).toEqual([])
})
