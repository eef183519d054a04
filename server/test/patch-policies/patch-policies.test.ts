import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { revokePatchApproval } from '../../src/features/patch-management/api/approval/revoke-patch-approval.ts'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { deletePatchPolicy } from '../../src/features/patch-policies/api/delete-patch-policy.ts'
import { listComputerPatchPolicies } from '../../src/features/patch-policies/api/list-computer-patch-policies.ts'
import { listGroupPatchPolicies } from '../../src/features/patch-policies/api/list-group-patch-policies.ts'
import { removePatchPolicyAssignment } from '../../src/features/patch-policies/api/remove-patch-policy-assignment.ts'
import { updatePatchPolicy } from '../../src/features/patch-policies/api/update-patch-policy.ts'
import { criticalAfter2Days, daysAgo, openPolicyWorld } from './policy-world.ts'

const { as, given, fleet, scannablePatch, critical, listOpenWork, listPatchIdsToFix, policy, rulings } =
  await openPolicyWorld()

const approver = as('pm.approve', 'pm.read')
const everything = { action: 'Approve' } as const

test('a rule releases a patch some days after its release, and the next scan makes its installation due', async () => {
  const { group, computer, other, fix } = await fleet()
  const [old, recent, low] = [
    await critical(3),
    await critical(1),
    await scannablePatch({ vendor_severity: 'Low', release_date: daysAgo(300) }),
  ]
  await given.patchScan(other, [old.missing])
  await policy([criticalAfter2Days], [group], { name: 'Workstations' })

  await given.patchScan(computer, [old.missing, recent.missing, low.missing])

  expect(await listPatchIdsToFix(computer)).toEqual([old.id])
  expect(await listOpenWork(computer)).toMatchObject([{ package_id: fix.id, kind: 'Install' }])
  expect(await listOpenWork(other)).toEqual([])
  const found = await rulings(computer)
  expect(found.get(old.id)).toMatchObject({
    state: 'Released',
    policyName: 'Workstations',
    ruleNumber: 1,
    groupId: group.id,
    approvedUtc: `${daysAgo(1)}T00:00:00.000Z`,
    message: `The rule "Critical after 2 days" of the patch policy Workstations approved it on ${daysAgo(1)}.`,
  })
  expect(found.get(recent.id)).toMatchObject({
    state: 'Waiting',
    approvedUtc: `${daysAgo(-1)}T00:00:00.000Z`,
    message: `The rule "Critical after 2 days" of the patch policy Workstations approves it on ${daysAgo(-1)}.`,
  })
  expect(found.get(low.id)).toMatchObject({ state: 'Undecided', policyId: null })
})

test('the computers of groups below have the policy, and others do not', async () => {
  const { group, computer } = await fleet()
  const below = await given.group({ parent: group })
  const [inside, outside] = [await given.computer(), await given.computer()]
  await given.member(below, inside)
  const patch = await critical(3)
  for (const one of [computer, inside, outside]) await given.patchScan(one, [patch.missing])

  const { id } = await policy([everything], [group])

  expect(await listPatchIdsToFix(computer)).toEqual([patch.id])
  expect(await listPatchIdsToFix(inside)).toEqual([patch.id])
  expect(await listPatchIdsToFix(outside)).toEqual([])
  const { body } = await as('group.read').call(listGroupPatchPolicies, { params: { id: below.id } })
  expect(body.items).toMatchObject([{ policyId: id, groupId: group.id, distance: 1, ruleCount: 1 }])
})

test('of the policies of a computer, the lowest priority decides first, then the nearest group; the next one decides what it leaves', async () => {
  const { group, computer } = await fleet()
  const root = await given.root('ConfigurationGroups')
  const [one, other] = [await critical(3), await scannablePatch({ vendor_severity: 'Low', release_date: daysAgo(3) })]
  await given.patchScan(computer, [one.missing, other.missing])
  const far = await policy([everything], [root])
  const near = await policy([{ action: 'Decline', severities: ['Critical'] }], [group])

  expect(await listPatchIdsToFix(computer)).toEqual([other.id])
  await approver.call(updatePatchPolicy, { params: { id: far.id }, body: { priority: 1 } })
  expect(await listPatchIdsToFix(computer)).toEqual([one.id, other.id])
  const { body } = await as('computer.read').call(listComputerPatchPolicies, { params: { id: computer.id } })
  expect(body.items.map(({ policyId }) => policyId)).toEqual([far.id, near.id])
  await approver.call(deletePatchPolicy, { params: { id: far.id } })
  expect((await rulings(computer)).get(one.id)).toMatchObject({ state: 'Declined', policyId: near.id })
})

test('a patch that is left to a person waits, a person approves before the time of a rule, and nobody overrides a rule that declines', async () => {
  const { group, computer } = await fleet()
  const [manual, early, declined] = [
    await scannablePatch({ vendor_severity: 'Low' }),
    await critical(0),
    await scannablePatch({ vendor_severity: 'Moderate' }),
  ]
  await given.patchScan(computer, [manual.missing, early.missing, declined.missing])
  await policy(
    [
      { action: 'Review', severities: ['Low'] },
      { action: 'Approve', severities: ['Critical'], afterDays: 30 },
      { action: 'Decline' },
    ],
    [group],
  )
  const states = async () => [manual, early, declined].map(({ id }) => found.get(id)?.state)
  let found = await rulings(computer)
  expect(await states()).toEqual(['NeedsReview', 'Waiting', 'Declined'])

  for (const { id, product } of [manual, early, declined])
    await as('pm.approve').call(approvePatch, { params: { patchId: id }, query: { productId: product.id } })

  found = await rulings(computer)
  expect(await states()).toEqual(['Released', 'Released', 'Declined'])
  expect(found.get(manual.id)).toMatchObject({ isApprovedByPerson: true })
  expect(await listPatchIdsToFix(computer)).toEqual([manual.id, early.id])
  await as('pm.approve').call(revokePatchApproval, { params: { patchId: manual.id } })
  expect(await listPatchIdsToFix(computer)).toEqual([early.id])
})

test('what a patch management group releases is released, whatever a policy says', async () => {
  const { group, computer } = await fleet()
  const patch = await scannablePatch({ approved: true })
  await given.patchScan(computer, [patch.missing])
  await policy([{ action: 'Decline' }], [group])
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, group)

  expect(await listPatchIdsToFix(computer)).toEqual([patch.id])
  expect((await rulings(computer)).get(patch.id)).toMatchObject({ state: 'ReleasedByGroup', pmGroupName: pmGroup.name })
})

test('what a policy no longer releases is withdrawn: after a change of its rules, its assignment, or its deletion', async () => {
  const { group, computer } = await fleet()
  const patch = await critical(3)
  const again = async () => {
    await given.patchScan(computer, [])
    await given.patchScan(computer, [patch.missing])
    return (await listOpenWork(computer)).length
  }
  const { id } = await policy([everything], [group])
  const counts = [await again()]
  await approver.call(updatePatchPolicy, {
    params: { id },
    body: { rules: [{ name: 'None', action: 'Decline' }] },
  })
  counts.push((await listOpenWork(computer)).length)
  await approver.call(updatePatchPolicy, { params: { id }, body: { rules: [{ name: 'All', action: 'Approve' }] } })
  counts.push(await again())
  const removed = await as('pm.approve').call(removePatchPolicyAssignment, { params: { id, groupId: group.id } })
  counts.push((await listOpenWork(computer)).length)
  await as('pm.approve').call(assignPatchPolicy, { params: { id }, body: { groupId: group.id } })
  counts.push(await again())
  const nearer = await policy([{ action: 'Decline' }], [group], { priority: 5 })
  counts.push((await listOpenWork(computer)).length)
  await approver.call(deletePatchPolicy, { params: { id: nearer.id } })
  counts.push(await again())
  await approver.call(deletePatchPolicy, { params: { id } })
  counts.push((await listOpenWork(computer)).length)

  expect(removed.status).toBe(204)
  expect(counts).toEqual([1, 0, 1, 0, 1, 0, 1, 0])
})

test('a patch that only a scan names is matched only by rules for unconfirmed patches, and its age counts from now', async () => {
  const { group, computer, other } = await fleet()
  await policy(
    [everything, { action: 'Approve', unconfirmed: true, afterDays: 1, severities: ['Critical'], name: 'Unconfirmed' }],
    [group],
  )
  const reported = {
    product: 'Reported OS',
    status: 'Missing',
    severity: 'Critical',
    releaseDate: '2001-01-01',
  } as const

  await given.patchScan(computer, [{ key: 'reported-critical', ...reported }])
  await given.patchScan(other, [{ key: 'reported-low', ...reported, severity: 'Low' }])

  const [ruling] = (await rulings(computer)).values()
  expect(ruling).toMatchObject({ isConfirmed: false, state: 'Waiting', ruleName: 'Unconfirmed' })
  expect(Date.parse(ruling?.approvedUtc ?? '')).toBeGreaterThan(Date.now() + 86_000_000)
  expect([...(await rulings(other)).values()]).toMatchObject([{ state: 'Undecided' }])
})

test('a rule with an age begins and ends by itself', async () => {
  const { group, computer } = await fleet()
  const [fresh, ripe, stale] = [await critical(3), await critical(20), await critical(60)]
  await given.patchScan(computer, [fresh.missing, ripe.missing, stale.missing])
  await policy(
    [
      { action: 'Approve', minAgeDays: 10, maxAgeDays: 30 },
      { action: 'Review', minAgeDays: 30 },
      { action: 'Decline', minAgeDays: 1 },
    ],
    [group],
  )

  const found = await rulings(computer)

  expect([fresh, ripe, stale].map(({ id }) => found.get(id)?.state)).toEqual(['Declined', 'Released', 'NeedsReview'])
})
