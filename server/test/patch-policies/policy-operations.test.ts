import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import { deletePatchPolicy } from '../../src/features/patch-policies/api/delete-patch-policy.ts'
import { getPatchPolicy } from '../../src/features/patch-policies/api/get-patch-policy.ts'
import { listPatchPolicies } from '../../src/features/patch-policies/api/list-patch-policies.ts'
import { listPatchPolicyAssignments } from '../../src/features/patch-policies/api/list-patch-policy-assignments.ts'
import { rehearsePatchRules } from '../../src/features/patch-policies/api/rehearse-patch-rules.ts'
import { removePatchPolicyAssignment } from '../../src/features/patch-policies/api/remove-patch-policy-assignment.ts'
import type { PatchRule } from '../../src/features/patches/policies/patch-rules.ts'
import { criticalAfter2Days, daysAgo, openPolicyWorld } from './policy-world.ts'

const { as, db, given, fleet, scannablePatch, critical, policy } = await openPolicyWorld()

const approver = as('pm.approve', 'pm.read')

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
        reason: 'NotApproved',
        untilUtc: `${daysAgo(-1)}T00:00:00.000Z`,
        message: `The rule "Critical after 2 days" of the patch policy ${name} approves it on ${daysAgo(-1)}.`,
      },
    ],
    ruling: { state: 'Waiting', policyId: id, ruleNumber: 1, groupId: group.id },
  })
  expect(await explain(declined.id)).toMatchObject({
    verdict: 'Waiting',
    blockers: [{ reason: 'NotApproved', untilUtc: null }],
    ruling: { state: 'Declined', ruleNumber: 2 },
  })
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
    { name: 'Not low', action: 'Review' as const, severities: ['Low' as const], products: [product.name] },
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

test('a rehearsal finds patches that a rule approves after the time of an earlier one, and leaves out what was released before', async () => {
  const product = await given.product()
  const released = (days: number) =>
    scannablePatch({ products: [product], release_date: daysAgo(days), is_known_by_scan_only: false })
  const patch = await released(35)
  await released(400)
  const products = [product.name]
  const rehearse = (rules: PatchRule[], days: number) =>
    as('pm.read').call(rehearsePatchRules, { body: { rules, days } })

  const { body: approved } = await rehearse(
    [
      { name: 'A month by hand', action: 'Review', maxAgeDays: 30, products },
      { name: 'Then all', action: 'Approve', products },
    ],
    6,
  )
  const { body: decided } = await rehearse([{ name: 'All', action: 'Review', products }], 40)

  expect(approved.patches.map(({ patchId }) => patchId)).toEqual([patch.id])
  expect(approved.days.map(({ day }) => day)).toEqual([daysAgo(4)])
  expect(decided.rules).toEqual([{ number: 1, patchCount: 1 }])
})

test('a policy is created, found, changed and deleted; its name is unique and its rules have effects', async () => {
  const { body: created } = await approver.call(createPatchPolicy, {
    body: { name: 'Servers', priority: 7, rules: [{ name: 'All', action: 'Approve', afterDays: 14 }] },
  })
  const other = await given.group()
  await as('pm.approve').call(assignPatchPolicy, { params: { id: created.id }, body: { groupId: other.id } })

  expect(created).toMatchObject({ name: 'Servers', description: '', priority: 7, assignmentCount: 0 })
  const { body: list } = await as('pm.read').call(listPatchPolicies, { query: { nameContains: 'serv' } })
  expect(list.items).toMatchObject([{ id: created.id, assignmentCount: 1 }])
  const { body: groups } = await as('pm.read').call(listPatchPolicyAssignments, { params: { id: created.id } })
  expect(groups.items).toMatchObject([{ groupId: other.id, computerCount: 0 }])
  const refused = [
    await approver.call(createPatchPolicy, { body: { name: 'servers', rules: [{ name: 'All', action: 'Approve' }] } }),
    await approver.call(createPatchPolicy, {
      body: { name: 'A', rules: [{ name: 'All', action: 'Review', afterDays: 3 }] },
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
