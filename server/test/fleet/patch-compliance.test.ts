import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { exportPatchCompliance } from '../../src/features/fleet/api/patches/export-patch-compliance.ts'
import { getPatchOverview } from '../../src/features/fleet/api/patches/get-patch-overview.ts'
import { listPatchCompliance } from '../../src/features/fleet/api/patches/list-patch-compliance.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { getPatchSla } from '../../src/features/patches/api/get-patch-sla.ts'
import { setPatchSla } from '../../src/features/patches/api/set-patch-sla.ts'
import { daysAgo, openPolicyWorld } from '../patch-policies/policy-world.ts'

const { as, db, given, scannablePatch, critical } = await openPolicyWorld()
const reader = as('pm.read')
const approver = as('pm.approve', 'pm.read')

const usual = { critical: 7, important: 14, moderate: 30, low: 90, unrated: null }

/** The compliance of the groups whose paths contain the text, after a new count, by their names. */
async function complianceOf(search: string, query: object = {}) {
  await refreshFleetStatistics(db)
  const { body } = await reader.call(listPatchCompliance, { query: { search, ...query } })
  return new Map(body.items.map((item) => [item.path.split('/').at(-1), item]))
}

/** A group with a group below it, each with computers. */
async function tree(name: string) {
  const above = await given.group({ tree: 'AssignmentGroups', name })
  const below = await given.group({ parent: above, name: `${name} below` })
  const computerIn = async (...groups: { id: string }[]) => {
    const computer = await given.computer()
    for (const group of groups) await given.member(group, computer)
    return computer
  }
  return { above, below, computerIn }
}

afterEach(async () => {
  await approver.call(setPatchSla, { body: usual })
})

test('a group counts the computers of the groups below it once, by what they lack beyond its SLA', async () => {
  const { above, below, computerIn } = await tree('Subtree')
  const old = await critical(8)
  const due = await critical(7)
  const moderate = await scannablePatch({ vendor_severity: 'Moderate', release_date: daysAgo(31) })
  const unrated = await scannablePatch({ release_date: daysAgo(400) })
  await given.patchScan(await computerIn(above, below), [old.missing, moderate.missing, due.missing])
  await given.patchScan(await computerIn(below), [due.missing, unrated.missing])
  await given.patchScan(await computerIn(above), [moderate.missing])
  await given.patchScan(await computerIn(above), [old.installed])
  await computerIn(below)

  const groups = await complianceOf('Subtree')

  expect(groups.get('Subtree')).toMatchObject({
    computers: 5,
    scanned: 4,
    compliant: 1,
    lackingComputers: 3,
    missingPatches: 6,
    withinSla: 2,
    overdueComputers: 2,
    overduePatches: 3,
    overdue: { critical: 1, important: 0, moderate: 2, low: 0, unrated: 0 },
  })
  expect(groups.get('Subtree below')).toMatchObject({
    computers: 3,
    scanned: 2,
    withinSla: 1,
    overdueComputers: 1,
    overduePatches: 2,
  })
})

test('a severity and a time since the release restrict what is counted, and each computer counts once', async () => {
  const { above, computerIn } = await tree('Filters')
  const [young, old, older] = [await critical(3), await critical(20), await critical(25)]
  const low = await scannablePatch({ vendor_severity: 'Low', release_date: daysAgo(20) })
  await given.patchScan(await computerIn(above), [young.missing, old.missing, older.missing, low.missing])
  await given.patchScan(await computerIn(above), [young.missing])
  const numbers = async (query: object) => {
    const found = (await complianceOf('Filters', query)).get('Filters')
    return found && [found.lackingComputers, found.missingPatches, found.overdueComputers, found.overduePatches]
  }

  expect(await numbers({})).toEqual([2, 5, 1, 2])
  expect(await numbers({ severity: 'Critical' })).toEqual([2, 4, 1, 2])
  expect(await numbers({ severity: 'Low' })).toEqual([1, 1, 0, 0])
  expect(await numbers({ age: 'UpTo30Days' })).toEqual([1, 3, 1, 2])
  expect(await numbers({ severity: 'Critical', age: 'UpTo7Days' })).toEqual([2, 2, 0, 0])
  expect(await numbers({ severity: 'Important' })).toEqual([0, 0, 0, 0])
  expect(await numbers({ severity: 'Critical', overdue: true })).toEqual([2, 4, 1, 2])
  expect(await numbers({ severity: 'Low', overdue: true })).toBeUndefined()
})

test('a changed SLA counts from the next count on, and without an SLA nothing is overdue', async () => {
  const { above, computerIn } = await tree('Changed')
  const patch = await critical(10)
  await given.patchScan(await computerIn(above), [patch.missing])
  const overdue = async () => (await complianceOf('Changed')).get('Changed')?.overduePatches
  const cell = async () => {
    const { body } = await reader.call(getPatchOverview)
    return body.cells.find(({ severity, age }) => severity === 'Critical' && age === 'UpTo30Days')?.overdue
  }

  expect([await overdue(), (await cell()) ?? 0]).toEqual([1, expect.any(Number)])
  const before = await cell()
  await approver.call(setPatchSla, { body: { ...usual, critical: 10 } })
  expect(await overdue()).toBe(0)
  await approver.call(setPatchSla, { body: { ...usual, critical: 9 } })
  expect(await overdue()).toBe(1)
  await approver.call(setPatchSla, { body: { ...usual, critical: null } })
  expect(await overdue()).toBe(0)
  expect(await cell()).toBe(0)
  expect(before).toBeGreaterThan(0)
})

test('the release that a computer states does not excuse a patch: without a document, its first report counts', async () => {
  const { above, computerIn } = await tree('Stated')
  const stated = await scannablePatch({
    vendor_severity: 'Critical',
    release_date: daysAgo(0),
    is_known_by_scan_only: true,
    created_at: new Date(Date.now() - 9 * 86_400_000),
  })
  await given.patchScan(await computerIn(above), [stated.missing])

  expect((await complianceOf('Stated')).get('Stated')).toMatchObject({ overdueComputers: 1, overduePatches: 1 })
})

test('a deleted group disappears from the compliance at once, and its numbers from the group above with the next count', async () => {
  const { above, below, computerIn } = await tree('Removed')
  const patch = await critical(30)
  await given.patchScan(await computerIn(above), [])
  await given.patchScan(await computerIn(below), [patch.missing])
  expect((await complianceOf('Removed')).get('Removed')).toMatchObject({ scanned: 2, overdueComputers: 1 })

  await as('group.write').call(deleteGroup, { params: { id: below.id }, query: { force: true } })
  const { body } = await reader.call(listPatchCompliance, { query: { search: 'Removed' } })
  const counted = await complianceOf('Removed')

  expect(body.items.map(({ groupId }) => groupId)).toEqual([above.id])
  expect(counted.get('Removed')).toMatchObject({ scanned: 1, withinSla: 1, overdueComputers: 0, overduePatches: 0 })
  const { rows } = await sql`select from group_patch_compliance where group_id = ${below.id}`.execute(db)
  expect(rows).toEqual([])
})

test('the compliance is exported with the filters of the list, as one line for each group', async () => {
  const { above, below, computerIn } = await tree('Exported')
  const patch = await critical(30)
  await given.patchScan(await computerIn(above), [patch.missing])
  await computerIn(below)
  await refreshFleetStatistics(db)

  const answer = await reader.call(exportPatchCompliance, { query: { search: 'exported' } })
  const overdue = await reader.call(exportPatchCompliance, { query: { search: 'exported', overdue: true } })

  const [header, ...lines] = String(answer.body).replace('\uFEFF', '').trimEnd().split('\r\n')
  expect(header).toBe(
    'group,computers,scanned,notScanned,compliant,lackingComputers,missingPatches,withinSla,overdueComputers,overduePatches,' +
      'overdueCritical,overdueImportant,overdueModerate,overdueLow,overdueUnrated',
  )
  expect(lines).toEqual([`${above.path},2,1,1,0,1,1,0,1,1,1,0,0,0,0`, `${below.path},1,0,1,0,0,0,0,0,0,0,0,0,0,0`])
  expect(String(overdue.body).trimEnd().split('\r\n')).toHaveLength(2)
})

test('the SLA is changed by those who approve patches, if it is still the one they have read', async () => {
  const { body, headers } = await reader.call(getPatchSla)
  const changed = { ...usual, low: 60 }
  const first = await approver.call(setPatchSla, { body: changed, headers: { 'if-match': String(headers.etag) } })
  const late = await approver.call(setPatchSla, { body: usual, headers: { 'if-match': String(headers.etag) } })
  const refused = await reader.call(setPatchSla, { body: usual })
  const { body: audit } = await as('audit.read').call(listAuditEntries, { query: { operation: 'setPatchSla', top: 1 } })

  expect(body).toEqual(usual)
  expect(first).toMatchObject({ status: 200, body: changed })
  expect([late.status, refused.status]).toEqual([412, 403])
  expect((await reader.call(getPatchSla)).body).toEqual(changed)
  expect(audit.items[0]).toMatchObject({ operation: 'setPatchSla' })
})

test.each([{ critical: 0 }, { critical: 3_651 }, { critical: 1.5 }, { critical: '7' }, { extra: 1 }])(
  'an SLA of %j is refused',
  async (property) => {
    const answer = await approver.call(setPatchSla, { body: { ...usual, ...property } as never })

    expect(answer.status).toBe(400)
    expect((await reader.call(getPatchSla)).body).toEqual(usual)
  },
)
