import { expect, test } from 'vitest'
import { listFailedDeploymentComputers } from '../../src/features/issues/api/list-failed-deployment-computers.ts'
import { listLowDiskComputers } from '../../src/features/issues/api/list-low-disk-computers.ts'
import { listMissingPatchComputers } from '../../src/features/issues/api/list-missing-patch-computers.ts'
import { listPendingRebootComputers } from '../../src/features/issues/api/list-pending-reboot-computers.ts'
import { listStaleAgentComputers } from '../../src/features/issues/api/list-stale-agent-computers.ts'
import { listStaleDeploymentComputers } from '../../src/features/issues/api/list-stale-deployment-computers.ts'
import { listStaleInventoryComputers } from '../../src/features/issues/api/list-stale-inventory-computers.ts'
import { listSuspendedAgentComputers } from '../../src/features/issues/api/list-suspended-agent-computers.ts'
import { listUnencryptedComputers } from '../../src/features/issues/api/list-unencrypted-computers.ts'
import { listWornBatteryComputers } from '../../src/features/issues/api/list-worn-battery-computers.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { since } from './fleet-model.ts'
import { openIssuesWorld } from './issues-world.ts'

const { as, given, disk, battery, agent, deployment, work } = await openIssuesWorld()
const reader = as('computer.read')

/** A new domain, as a filter that computers of other tests do not pass. */
const ownDomain = () => `${crypto.randomUUID()}.example.org`
const day = 24

test('a drive is reported if its free space is below the percentage or the gigabytes, but not if it is equal', async () => {
  const domain = ownDomain()
  const computer = await given.computer({ domain })
  await disk(computer, { position: 0, total: 100, free: 9.999 })
  await disk(computer, { position: 1, total: 100, free: 10 })
  await disk(computer, { position: 2, total: 1_000, free: 110 })
  await disk(computer, { position: 3, total: 100, free: 1, type: 5 })

  const byDefault = await reader.call(listLowDiskComputers, { query: { domain } })
  const bySize = await reader.call(listLowDiskComputers, { query: { domain, minFreeGb: 10 } })
  const byBoth = await reader.call(listLowDiskComputers, { query: { domain, minFreePercent: 11, minFreeGb: 111 } })

  const volumes = (body: typeof byDefault.body) => body.items[0]?.lowDiskDrives.map(({ volume }) => volume)
  expect(volumes(byDefault.body)).toEqual(['volume 0'])
  expect(byDefault.body.items[0]).toMatchObject({
    id: computer.id,
    hostname: computer.name,
    lowDiskDrives: [{ totalSpaceGb: 100, freeSpaceGb: 9.999, freePercent: 10 }],
  })
  expect(volumes(bySize.body)).toEqual(['volume 0'])
  expect(volumes(byBoth.body)).toEqual(['volume 0', 'volume 1', 'volume 2'])
})

test('a battery is reported if its rounded health is at most the threshold', async () => {
  const domain = ownDomain()
  const computer = await given.computer({ domain })
  await battery(computer, { position: 0, designed: 10_000, full: 6_004 })
  await battery(computer, { position: 1, designed: 10_000, full: 6_010 })
  await battery(computer, { position: 2, designed: 0, full: 1 })
  await battery(computer, { position: 3, designed: null, full: 1 })

  const { body } = await reader.call(listWornBatteryComputers, { query: { domain } })

  expect(body.items[0]?.wornBatteries).toMatchObject([{ healthPercent: 60 }])
})

test('unencrypted disks are reported only for fixed drives of Windows computers', async () => {
  const domain = ownDomain()
  const windows = await given.computer({ domain, os_name: 'Microsoft Windows 11' })
  const linux = await given.computer({ domain, os_name: 'Debian GNU/Linux', platform: 'Linux' })
  for (const one of [windows, linux]) {
    await disk(one, { position: 0, free: 50, state: 'Unencrypted' })
    await disk(one, { position: 1, free: 50, state: 'Unencrypted', type: 2 })
    await disk(one, { position: 2, free: 50, state: 'NotAvailable' })
  }

  const { body } = await reader.call(listUnencryptedComputers, { query: { domain } })

  expect(body.items).toMatchObject([
    { id: windows.id, unencryptedDisks: [{ volume: 'volume 0', bitlockerStatus: 'Unencrypted' }] },
  ])
})

test('a pending reboot is reported if the last start was at least the given number of days ago', async () => {
  const domain = ownDomain()
  const [old, young, unknown] = [
    await given.computer({ domain }),
    await given.computer({ domain }),
    await given.computer({ domain }),
  ]
  await agent(old, { is_reboot_required: true, boot_at: since(5 * day), reboot_required_source: 'a kernel' })
  await agent(young, { is_reboot_required: true, boot_at: since(5 * day - 0.1) })
  await agent(unknown, { is_reboot_required: true })

  const all = await reader.call(listPendingRebootComputers, { query: { domain } })
  const some = await reader.call(listPendingRebootComputers, { query: { domain, minDaysSinceLastReboot: 5 } })

  expect(all.body.items.map(({ id }) => id)).toEqual([old.id, young.id, unknown.id])
  expect(some.body.items).toMatchObject([{ id: old.id, rebootRequiredSource: 'a kernel' }])
  expect(all.body.items[2]).toMatchObject({ lastReboot: null, rebootRequiredSource: null })
})

test('only failed packages that match the filters are counted and listed', async () => {
  const domain = ownDomain()
  const computer = await given.computer({ domain })
  const [first, second, third] = [await given.package(), await given.package(), await given.package()]
  await deployment(computer, first, { result: 'Failed', failed_at: since(2), error_text: 'no space' })
  await deployment(computer, second, { result: 'Failed', failed_at: since(1) })
  await deployment(computer, third, { result: 'Failed', pending_since: since(1) })

  const failed = (query: object) => reader.call(listFailedDeploymentComputers, { query: { domain, ...query } })

  expect((await failed({ minFailedCount: 2 })).body.items[0]?.failedPackages).toMatchObject([
    { softwareId: second.id },
    { softwareId: first.id, packageName: first.name, version: '1.0', errorText: 'no space' },
  ])
  expect((await failed({ minFailedCount: 3 })).body.items).toEqual([])
  expect((await failed({ softwareId: first.id })).body.items[0]?.failedPackages).toHaveLength(1)
  expect((await failed({ softwareId: first.id, minFailedCount: 2 })).body.items).toEqual([])
  expect((await failed({ packageName: first.name.toUpperCase().slice(2) })).body.items).toHaveLength(1)
  expect((await failed({ softwareId: third.id })).body.items).toEqual([])
})

test('missing security patches are reported unless another type is requested, and every criterion narrows the patches', async () => {
  const domain = ownDomain()
  const computer = await given.computer({ domain })
  const product = await given.product()
  const bad = await given.patch({
    products: [product],
    vendor_severity: 'Critical',
    cvss_score: 9.8,
    bulletin_id: 'B-1',
  })
  const mild = await given.patch({ products: [product], vendor_severity: 'unknown severity', cvss_score: 2 })
  const tool = await given.patch({ products: [product], patch_type: 'SecurityTool' })
  const scanned = [mild, bad, tool].map(({ key }) => ({ key, product: product.name, status: 'Missing' as const }))
  await given.patchScan(computer, scanned)

  const missing = async (query: object) => {
    const { body } = await reader.call(listMissingPatchComputers, { query: { domain, ...query } })
    return body.items[0]?.missingPatches.map(({ patchId }) => patchId) ?? []
  }

  expect(await missing({})).toEqual([bad.id, mild.id])
  expect(await missing({ patchType: 4 })).toEqual([tool.id])
  expect(await missing({ minSeverity: 'important' })).toEqual([bad.id])
  expect(await missing({ minSeverity: 'Low' })).toEqual([bad.id])
  expect(await missing({ minCvss: 9.8 })).toEqual([bad.id])
  expect(await missing({ minVrr: 0 })).toEqual([])
  expect(await missing({ bulletinId: 'b-1' })).toEqual([bad.id])
  expect(await missing({ qNumber: mild.key.toLowerCase() })).toEqual([mild.id])
  expect(await missing({ productName: product.name.slice(3) })).toEqual([bad.id, mild.id])
  expect(await missing({ assigned: true })).toEqual([])
  expect(await missing({ assigned: false, minCount: 2 })).toEqual([bad.id, mild.id])
  expect(await missing({ minCount: 3 })).toEqual([])
})

test('missing patches are reported with the reasons why they cannot be installed', async () => {
  const domain = ownDomain()
  const [covered, bare] = [await given.computer({ domain }), await given.computer({ domain })]
  const [group, pm, fix] = [await given.group(), await given.pmGroup(), await given.package({ kind: 'PatchFix' })]
  await given.member(group, covered)
  await given.pmAssignment(pm, group)
  await given.assignment(group, fix, 'package')
  const product = await given.product()
  const patch = await given.patch({ products: [product] })
  const found = [{ key: patch.key, product: product.name, status: 'Missing' as const }]
  await given.patchScan(covered, found)
  await given.patchScan(bare, found, { scannedAt: since(15 * day) })

  const { body } = await reader.call(listMissingPatchComputers, { query: { domain } })

  expect(body.items.map(({ pmClientGaps }) => pmClientGaps.length)).toEqual([0, 3])
})

test('an agent is stale between the minimum and the maximum hours since its last contact, and never without a contact', async () => {
  const domain = ownDomain()
  const stale = await given.computer({ domain, lastSeen: since(24) })
  const staler = await given.computer({ domain, lastSeen: since(48.2) })
  await given.computer({ domain, lastSeen: since(23.9) })
  await given.computer({ domain })

  const all = await reader.call(listStaleAgentComputers, { query: { domain } })
  const some = await reader.call(listStaleAgentComputers, { query: { domain, maxHoursStale: 48 } })

  expect(all.body.items).toMatchObject([
    { id: stale.id, staleAgentHours: 24 },
    { id: staler.id, staleAgentHours: 48.2 },
  ])
  expect(some.body.items.map(({ id }) => id)).toEqual([stale.id])
})

test('an inventory is stale from the minimum age on, and the age of a missing one counts from the creation of the computer', async () => {
  const domain = ownDomain()
  const stale = await given.computer({ domain, inventory_at: since(14 * day) })
  const never = await given.computer({ domain, created_at: since(15 * day) })
  await given.computer({ domain, inventory_at: since(14 * day - 0.1) })
  await given.computer({ domain, created_at: since(14 * day - 0.1) })

  const { body } = await reader.call(listStaleInventoryComputers, { query: { domain } })
  const ancient = await reader.call(listStaleInventoryComputers, { query: { domain, minDaysStale: 3650 } })

  expect(body.items).toMatchObject([
    { id: stale.id, staleInventoryDays: 14 },
    { id: never.id, staleInventoryDays: 15 },
  ])
  expect(ancient.body.items).toEqual([])
})

test('a pending package is stale if the agent is online, has not started it and does not have to wait for its start time', async () => {
  const domain = ownDomain()
  const software = await given.package()
  const pendingComputer = async (pendingHours: number, seenHours = 1) => {
    const computer = await given.computer({ domain, lastSeen: since(seenHours) })
    await deployment(computer, software, { pending_since: since(pendingHours) })
    return computer
  }
  const [stale, started, later] = [await pendingComputer(24), await pendingComputer(24), await pendingComputer(24)]
  await work(started, software, { state: 'Leased' })
  await work(later, software, { not_before: since(-1) })
  await pendingComputer(23.9)
  await pendingComputer(24, 24.1)
  await pendingComputer(30 * day + 0.1)

  const { body } = await reader.call(listStaleDeploymentComputers, { query: { domain } })
  const others = await reader.call(listStaleDeploymentComputers, { query: { domain, softwareId: crypto.randomUUID() } })

  expect(body.items).toMatchObject([
    { id: stale.id, stalePendingPackages: [{ softwareId: software.id, hoursPending: 24 }] },
  ])
  expect(others.body.items).toEqual([])
})

test('an agent is reported as suspended until the end of its suspension', async () => {
  const domain = ownDomain()
  const [forever, still, over] = [
    await given.computer({ domain }),
    await given.computer({ domain }),
    await given.computer({ domain }),
  ]
  const until = since(-1)
  await agent(forever, { suspension_mode: 'MaintenanceMode' })
  await agent(still, { suspension_mode: 'PresentationMode', suspended_until: until })
  await agent(over, { suspension_mode: 'Suspended', suspended_until: since(0.1) })

  const { body } = await reader.call(listSuspendedAgentComputers, { query: { domain } })

  expect(body.items).toMatchObject([
    { id: forever.id, suspensionMode: 'MaintenanceMode', suspendedUntil: null },
    { id: still.id, suspensionMode: 'PresentationMode', suspendedUntil: until.toISOString() },
  ])
})

test('a page of a sweep shows the total number of computers and links to the next page', async () => {
  const domain = ownDomain()
  for (let made = 0; made < 5; made++) await given.computer({ domain })

  const { body, headers } = await reader.call(listStaleInventoryComputers, {
    query: { domain, minDaysStale: 0, skip: 1, top: 2 },
  })

  expect(body).toMatchObject({ skip: 1, top: 2, totalCount: 5, hasMore: true })
  expect(body.items).toHaveLength(2)
  expect(headers.link).toContain('cursor=')
})

test('a sweep refuses thresholds outside their range and names the parameter', async () => {
  const mistakes: [AnyOperation, object, string][] = [
    [listLowDiskComputers, { minFreeGb: -1 }, 'minFreeGb'],
    [listFailedDeploymentComputers, { minFailedCount: 0 }, 'minFailedCount'],
    [listFailedDeploymentComputers, { packageName: 'x'.repeat(256) }, 'packageName'],
    [listStaleAgentComputers, { lastSeenWithinDays: 2 ** 31 }, 'lastSeenWithinDays'],
    [listMissingPatchComputers, { patchType: 3 }, 'patchType'],
    [listMissingPatchComputers, { minSeverity: 'Bogus' }, 'minSeverity'],
  ]
  for (const [operation, query, name] of mistakes) {
    const refused = await reader.call(operation, { query })
    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name }] } })
  }
})
