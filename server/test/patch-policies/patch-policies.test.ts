import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { revokePatchApproval } from '../../src/features/patch-management/api/approval/revoke-patch-approval.ts'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import { deletePatchPolicy } from '../../src/features/patch-policies/api/delete-patch-policy.ts'
import { getPatchPolicy } from '../../src/features/patch-policies/api/get-patch-policy.ts'
import { listComputerPatchPolicies } from '../../src/features/patch-policies/api/list-computer-patch-policies.ts'
import { listGroupPatchPolicies } from '../../src/features/patch-policies/api/list-group-patch-policies.ts'
import { listPatchPolicies } from '../../src/features/patch-policies/api/list-patch-policies.ts'
import { listPatchPolicyAssignments } from '../../src/features/patch-policies/api/list-patch-policy-assignments.ts'
import { rehearsePatchRules } from '../../src/features/patch-policies/api/rehearse-patch-rules.ts'
import { removePatchPolicyAssignment } from '../../src/features/patch-policies/api/remove-patch-policy-assignment.ts'
import { updatePatchPolicy } from '../../src/features/patch-policies/api/update-patch-policy.ts'
import { daysAgo, openPolicyWorld } from './policy-world.ts'

const { as, db, given, fleet, scannablePatch, listOpenWork, listPatchIdsToFix, policy, rulings } =
  await openPolicyWorld()

const approver = as('pm.approve', 'pm.read')
const critical = (days: number) => scannablePatch({ vendor_severity: 'Critical', release_date: daysAgo(days) })
const criticalAfter2Days = {
  name: 'Critical after 2 days',
  action: 'Approve',
  severities: ['Critical'],
  afterDays: 2,
} as const
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
    approvedUtc: new Date(`${daysAgo(1)}T00:00:00Z`),
    message: `The rule "Critical after 2 days" of the patch policy Workstations approved it on ${daysAgo(1)}.`,
  })
  expect(found.get(recent.id)).toMatchObject({
    state: 'Waiting',
    approvedUtc: new Date(`${daysAgo(-1)}T00:00:00Z`),
    message: `The rule "Critical after 2 days" of the patch policy Workstations approves it on ${daysAgo(-1)}.`,
  })
  expect(found.get(low.id)).toMatchObject({ state: 'Undecided', policyId: null })
})

test('the computers of groups below have the policy, and others do not', async () => {
  const { group, computer } = await fleet()
  const below = await given.group({ parent_id: group.id })
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

test('a held patch waits for a person, a person approves before the time of a rule, and nobody overrides a rule that declines', async () => {
  const { group, computer } = await fleet()
  const [held, early, declined] = [
    await scannablePatch({ vendor_severity: 'Low' }),
    await critical(0),
    await scannablePatch({ vendor_severity: 'Moderate' }),
  ]
  await given.patchScan(computer, [held.missing, early.missing, declined.missing])
  await policy(
    [
      { action: 'Hold', severities: ['Low'] },
      { action: 'Approve', severities: ['Critical'], afterDays: 30 },
      { action: 'Decline' },
    ],
    [group],
  )
  const states = async () => [held, early, declined].map(({ id }) => found.get(id)?.state)
  let found = await rulings(computer)
  expect(await states()).toEqual(['Held', 'Waiting', 'Declined'])

  for (const { id, product } of [held, early, declined])
    await as('pm.approve').call(approvePatch, { params: { patchId: id }, query: { productId: product.id } })

  found = await rulings(computer)
  expect(await states()).toEqual(['Released', 'Released', 'Declined'])
  expect(found.get(held.id)).toMatchObject({ isApprovedByPerson: true })
  expect(await listPatchIdsToFix(computer)).toEqual([held.id, early.id])
  await as('pm.approve').call(revokePatchApproval, { params: { patchId: held.id } })
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
  expect(ruling?.approvedUtc?.getTime()).toBeGreaterThan(Date.now() + 86_000_000)
  expect([...(await rulings(other)).values()]).toMatchObject([{ state: 'Undecided' }])
})

test('a rule with an age begins and ends by itself', async () => {
  const { group, computer } = await fleet()
  const [fresh, ripe, stale] = [await critical(3), await critical(20), await critical(60)]
  await given.patchScan(computer, [fresh.missing, ripe.missing, stale.missing])
  await policy(
    [
      { action: 'Approve', minAgeDays: 10, maxAgeDays: 30 },
      { action: 'Hold', minAgeDays: 30 },
      { action: 'Decline', minAgeDays: 1 },
    ],
    [group],
  )

  const found = await rulings(computer)

  expect([fresh, ripe, stale].map(({ id }) => found.get(id)?.state)).toEqual(['Declined', 'Released', 'Held'])
})

test('explainComputer says which rule decides about a patch', async () => {
  const { group, computer } = await fleet()
  const [waiting, declined, released] = [
    await critical(1),
    await scannablePatch({ vendor_severity: 'Low', release_date: daysAgo(9) }),
    await critical(4),
  ]
  await given.patchScan(computer, [waiting.missing, declined.missing])
  const { id, name } = await policy([criticalAfter2Days, { action: 'Decline' }], [group])
  const explain = async (patchId: number) =>
    (await as('computer.read').call(explainComputer, { params: { id: computer.id }, query: { patchId } })).body

  expect(await explain(waiting.id)).toMatchObject({
    verdict: 'Waiting',
    blockers: [
      {
        reason: 'WaitsForRule',
        untilUtc: new Date(`${daysAgo(-1)}T00:00:00Z`),
        message: `The rule "Critical after 2 days" of the patch policy ${name} approves it on ${daysAgo(-1)}.`,
      },
    ],
    sources: [{ kind: 'PatchPolicy', objectId: String(id), groupId: group.id }],
  })
  expect(await explain(declined.id)).toMatchObject({ verdict: 'Waiting', blockers: [{ reason: 'Declined' }] })
  await given.patchScan(computer, [released.missing])
  expect((await explain(released.id)).message).toContain(
    `The rule "Critical after 2 days" of the patch policy ${name} approved it on ${daysAgo(2)}.`,
  )
})

test('a rehearsal counts what rules would have approved on each day, with the computers that have or lack it', async () => {
  const { group, computer, other } = await fleet()
  const product = await given.product()
  const released = (days: number, severity: string) =>
    scannablePatch({ products: [product], vendor_severity: severity, release_date: daysAgo(days) })
  const [one, two, low] = [await released(10, 'Critical'), await released(10, 'Critical'), await released(5, 'Low')]
  const report = (patch: { key: string }, status: 'Missing' | 'Installed') => ({
    key: patch.key,
    product: product.name,
    status,
  })
  await given.patchScan(computer, [report(one, 'Missing'), report(two, 'Installed'), report(low, 'Missing')])
  await given.patchScan(other, [report(one, 'Installed')])
  const rules = [
    { name: 'Not low', action: 'Hold' as const, severities: ['Low' as const], products: [product.name] },
    { name: 'All', action: 'Approve' as const, afterDays: 2, products: [product.name.toUpperCase()] },
  ]

  const { body } = await as('pm.read').call(rehearsePatchRules, { body: { rules, groupId: group.id, days: 30 } })

  expect(body).toMatchObject({
    days: [{ day: daysAgo(8), patchCount: 2, computerCount: 2, lackingCount: 1 }],
    patchCount: 2,
    computerCount: 2,
    lackingCount: 1,
    scannedComputers: 2,
    isEstimate: false,
    rules: [
      { number: 1, patchCount: 1 },
      { number: 2, patchCount: 2 },
    ],
  })
  expect(body.patches.map(({ patchId }) => patchId).sort()).toEqual([one.id, two.id].sort())
  const { rows } = await sql`select from patch_policies where rules = ${JSON.stringify(rules)}::jsonb`.execute(db)
  expect(rows).toEqual([])
})

test('a policy is created, found, changed and deleted; its name is unique and its rules have effects', async () => {
  const { body: created } = await approver.call(createPatchPolicy, {
    body: { name: 'Servers', priority: 7, rules: [{ name: 'All', action: 'Approve', afterDays: 14 }] },
  })
  const other = await given.group()
  await as('pm.approve').call(assignPatchPolicy, { params: { id: created.id }, body: { groupId: other.id } })

  expect(created).toMatchObject({ name: 'Servers', description: null, priority: 7, assignmentCount: 0 })
  const { body: list } = await as('pm.read').call(listPatchPolicies, { query: { nameContains: 'serv' } })
  expect(list.items).toMatchObject([{ id: created.id, assignmentCount: 1 }])
  const { body: groups } = await as('pm.read').call(listPatchPolicyAssignments, { params: { id: created.id } })
  expect(groups.items).toMatchObject([{ groupId: other.id, computerCount: 0 }])
  const refused = [
    await approver.call(createPatchPolicy, { body: { name: 'servers', rules: [{ name: 'All', action: 'Approve' }] } }),
    await approver.call(createPatchPolicy, {
      body: { name: 'A', rules: [{ name: 'All', action: 'Hold', afterDays: 3 }] },
    }),
    await approver.call(createPatchPolicy, {
      body: { name: 'B', rules: [{ name: 'All', action: 'Approve', minAgeDays: 3, maxAgeDays: 2 }] },
    }),
    await approver.call(createPatchPolicy, {
      body: { name: 'C', rules: [{ name: 'All', action: 'Approve', afterDays: 3, maxAgeDays: 2 }] },
    }),
    await as('pm.write', 'pm.read').call(createPatchPolicy, {
      body: { name: 'D', rules: [{ name: 'All', action: 'Approve' }] },
    }),
    await approver.call(assignPatchPolicy, { params: { id: 2_000_000_000 }, body: { groupId: other.id } }),
    await approver.call(removePatchPolicyAssignment, {
      params: { id: created.id, groupId: (await given.group()).id },
    }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([409, 400, 400, 400, 403, 404, 404])
  await approver.call(deletePatchPolicy, { params: { id: created.id } })
  expect((await as('pm.read').call(getPatchPolicy, { params: { id: created.id } })).status).toBe(404)
})
