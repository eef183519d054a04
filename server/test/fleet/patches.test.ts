import { expect, test } from 'vitest'
import { getPatchGroupPage } from '../../src/features/fleet/api/patches/get-patch-group-page.ts'
import { getPatchOverview } from '../../src/features/fleet/api/patches/get-patch-overview.ts'
import { getPatchPage } from '../../src/features/fleet/api/patches/get-patch-page.ts'
import { listEmergencyCandidates } from '../../src/features/fleet/api/patches/list-emergency-candidates.ts'
import { listFleetPatches } from '../../src/features/fleet/api/patches/list-fleet-patches.ts'
import { listPatchCompliance } from '../../src/features/fleet/api/patches/list-patch-compliance.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { startEmergencyPatching } from '../../src/features/patch-management/api/pm-groups/start-emergency-patching.ts'
import { openPatchWorld } from '../patch-management/patch-world.ts'

const { as, db, fleet, given, scannablePatch } = await openPatchWorld()
const reader = as('pm.read')
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const critical = await scannablePatch({
  vendor_severity: 'Critical',
  release_date: daysAgo(60),
  cves: ['CVE-2026-1234'],
  name: 'openssl 3.0.16',
})
const low = await scannablePatch({ vendor_severity: 'Low', release_date: null, patch_type: 'NonSecurityPatch' })
const { group, computers } = await fleet({ computers: 4 })
const [bad, worse, good, unscanned] = computers
if (!bad || !worse || !good || !unscanned) throw new Error('The fleet has four computers.')
await given.patchScan(bad, [critical.missing, low.installed])
await given.patchScan(worse, [critical.missing, low.missing])
await given.patchScan(good, [critical.installed, low.missing])
await refreshFleetStatistics(db)

test('missing patches are counted by severity and age, and compliant computers by group', async () => {
  const { body } = await reader.call(getPatchOverview)

  expect(body.cells.toSorted((a, b) => a.severity.localeCompare(b.severity))).toEqual([
    { severity: 'Critical', age: 'UpTo90Days', patches: 1, missing: 2, overdue: 2 },
    { severity: 'Low', age: 'Unknown', patches: 1, missing: 2, overdue: 0 },
  ])
  expect(body.groups).toEqual([
    { groupId: group.id, name: group.name, path: group.path, computers: 4, scanned: 3, compliant: 1 },
  ])
  expect(body.fleet).toEqual({
    ...{ computers: 4, scanned: 3, compliant: 1 },
    ...{ withinSla: 1, overdueComputers: 2, overduePatches: 2 },
  })
  expect(body.calculatedAtUtc).not.toBeNull()
})

test('the compliance of groups has the groups below in it, by path, with the severity of what is missing', async () => {
  const above = await given.group({ tree: 'AssignmentGroups', name: 'Compliance' })
  const below = await given.group({ parent: above, name: 'Below' })
  for (const computer of [bad, good]) await given.member(below, computer)
  await given.member(above, bad)
  await given.group({ parent: above, name: 'Empty' })
  await refreshFleetStatistics(db)

  const { body } = await reader.call(listPatchCompliance, { query: { search: 'compliance' } })

  const counts = { computers: 2, scanned: 2, compliant: 1 }
  const missing = { critical: 1, important: 0, moderate: 0, low: 1, unknown: 0 }
  const lacking = { lackingComputers: 2, missingPatches: 2, withinSla: 1, overdueComputers: 1, overduePatches: 1 }
  const overdue = { critical: 1, important: 0, moderate: 0, low: 0, unrated: 0 }
  expect(body).toMatchObject({ totalCount: 2, calculatedAtUtc: expect.any(String) })
  expect(body.items).toEqual([
    { groupId: above.id, path: above.path, members: 1, ...counts, missing, ...lacking, overdue },
    { groupId: below.id, path: below.path, members: 2, ...counts, missing, ...lacking, overdue },
  ])
})

test('a patch is found by its severity, age, number or CVE, with the computers that lack it', async () => {
  const idsOf = async (query: object) =>
    (await reader.call(listFleetPatches, { query })).body.items.map(({ patchId }) => patchId)

  expect(await idsOf({})).toEqual([critical.id, low.id])
  expect(await idsOf({ severity: ['Critical'], age: ['UpTo90Days'], missing: true })).toEqual([critical.id])
  expect(await idsOf({ severity: ['Critical'], age: ['Older'] })).toEqual([])
  expect(await idsOf({ search: 'cve-2026-1234' })).toEqual([critical.id])
  expect(await idsOf({ search: 'OPENSSL' })).toEqual([critical.id])
  expect(await idsOf({ search: low.key })).toEqual([low.id])
  expect(await idsOf({ approved: true })).toEqual([])
  expect((await reader.call(listFleetPatches, { query: { severity: ['Critical'] } })).body.items[0]).toMatchObject({
    missing: 2,
    installed: 1,
    severity: 'Critical',
  })
})

test('a later count replaces the numbers of a patch that is missing nowhere any more', async () => {
  const gone = await scannablePatch({ vendor_severity: 'Moderate' })
  await given.patchScan(unscanned, [gone.missing])
  await refreshFleetStatistics(db)
  const before = (await reader.call(getPatchPage, { params: { patchId: gone.id } })).body
  await given.patchScan(unscanned, [])
  await refreshFleetStatistics(db)
  const after = (await reader.call(getPatchPage, { params: { patchId: gone.id } })).body

  expect(before.products).toMatchObject([{ productId: gone.product.id, missing: 1, installed: 0 }])
  expect(after.products).toMatchObject([{ productId: gone.product.id, missing: 0, installed: 0 }])
  expect(after.patch.missing).toBe(0)
})

test('the page of a patch group shows its assignments, what is missing, and its emergency', async () => {
  const patches = [
    { id: critical.id, productId: critical.product.id },
    { id: low.id, productId: low.product.id },
  ]
  const pmGroup = await given.pmGroup({ patches })
  await given.pmAssignment(pmGroup, group)
  const read = async () => (await reader.call(getPatchGroupPage, { params: { id: pmGroup.id } })).body
  const before = await read()
  const candidates = (await reader.call(listEmergencyCandidates, { params: { id: pmGroup.id } })).body

  await as('pm.execute').call(startEmergencyPatching, {
    params: { id: pmGroup.id },
    body: { computerIds: [bad.id, worse.id] },
  })

  expect(before).toMatchObject({ computers: 4, missing: 4, emergency: null })
  expect(before.assignments).toMatchObject([{ treeId: group.id, isEmergency: false }])
  expect(candidates.items.map(({ clientId, missingPatches }) => [clientId, missingPatches])).toEqual([
    [worse.id, 2],
    [good.id, 1],
    [bad.id, 1],
  ])
  expect((await read()).emergency).toMatchObject({ computers: 2 })
  const now = (await reader.call(listEmergencyCandidates, { params: { id: pmGroup.id } })).body
  expect(now.items.map(({ isInEmergency }) => isInEmergency)).toEqual([true, false, true])
})
