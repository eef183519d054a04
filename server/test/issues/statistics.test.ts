import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { getFleetStatistics } from '../../src/features/issues/api/get-fleet-statistics.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { refreshStatistics } from '../../src/features/issues/jobs/refresh-statistics.ts'
import { startScheduler } from '../../src/jobs/scheduler.ts'
import { since } from './fleet-model.ts'
import { openIssuesWorld } from './issues-world.ts'

const { as, given, db, disk, deployment } = await openIssuesWorld()
const reader = as('computer.read')

const day = 24

test('fleet statistics are null until the first count, and then show the fleet at the time of the count', async () => {
  const before = await reader.call(getFleetStatistics)
  await given.computer({ lastSeen: since(1), inventory_at: since(1), os_name: 'Windows 11', os_edition: 'Pro' })
  const stale = await given.computer({
    lastSeen: since(2 * day),
    inventory_at: since(1),
    os_name: 'Windows 11',
    os_edition: 'Pro',
  })
  await given.computer({ lastSeen: since(8 * day), inventory_at: since(1) })
  await given.computer({ lastSeen: since(31 * day), inventory_at: since(1) })
  await given.computer({ inventory_at: since(1) })
  await disk(stale, { free: 1 })
  await deployment(stale, await given.package(), { result: 'Failed' })
  await deployment(stale, await given.package(), { result: 'Success' })
  // Installed, but no longer assigned: nothing is pending.
  await deployment(stale, await given.package(), { installation_state: 'Installed' })

  await refreshFleetStatistics(db)
  await given.computer()

  const { body } = await reader.call(getFleetStatistics)
  expect(before.body).toEqual({ calculatedAtUtc: null, ageSeconds: null, counts: null })
  expect(body).toMatchObject({ ageSeconds: expect.any(Number), calculatedAtUtc: expect.any(String) })
  expect(body.counts).toMatchObject({
    computers: 5,
    withIssues: 2,
    health: { Healthy: 1, Warning: 1, Unreachable: 3 },
    agentStatus: { Reporting: 1, Stale: 1, Silent: 2, Unknown: 1 },
    operatingSystems: [
      { operatingSystem: null, count: 3 },
      { operatingSystem: 'Windows 11 Pro', count: 2 },
    ],
    deploymentStatus: { Pending: 0, Success: 2, Failed: 1 },
  })
  expect(body.counts?.issues.filter(({ count }) => count > 0)).toEqual([
    { issue: 'low-disk', count: 1 },
    { issue: 'failed-deployment', count: 1 },
    { issue: 'stale-agent', count: 3 },
  ])
})

test('fleet statistics count computers by the release date of their oldest missing security patch', async () => {
  await db.deleteFrom('computers').execute()
  const product = await given.product()
  const released = async (daysAgo: number | null, patch_type = 'SecurityPatch') =>
    given.patch({
      products: [product],
      patch_type,
      release_date:
        daysAgo === null
          ? null
          : since(daysAgo * day)
              .toISOString()
              .slice(0, 10),
    })
  const [young, old, unknown] = [await released(5), await released(40), await released(null)]
  const other = await released(400, 'NonSecurityPatch')
  for (const missing of [[], [other], [young, other], [young, old], [unknown]])
    await given.patchScan(
      await given.computer(),
      missing.map(({ key }) => ({ key, product: product.name, status: 'Missing' })),
    )
  await given.computer()

  await refreshFleetStatistics(db)

  const { body } = await reader.call(getFleetStatistics)
  expect(body.counts?.missingSeverity).toMatchObject({ Unknown: 4, None: 2 })
  expect(body.counts?.patchAge).toEqual({
    NotScanned: 1,
    NoneMissing: 2,
    UpTo7Days: 1,
    UpTo30Days: 0,
    UpTo90Days: 1,
    Older: 0,
    Unknown: 1,
  })
})

test('fleet statistics of a small fleet show a new computer within seconds', async () => {
  const start = performance.now()
  await refreshFleetStatistics(db)
  // The slower the count, the longer the pause after it: on a busy machine, five seconds are not enough.
  const pause = `${Math.max(6, (performance.now() - start) / 20)} seconds`
  const counted = async () => (await reader.call(getFleetStatistics)).body.counts?.computers ?? 0
  const before = await counted()
  await given.computer()
  await sql`update fleet_statistics set calculated_at = calculated_at - ${pause}::interval,
    next_count_at = next_count_at - ${pause}::interval`.execute(db)

  await refreshStatistics(db).run(new AbortController().signal)

  expect(await counted()).toBe(before + 1)
})

test('fleet statistics are not counted again while they are recent, and the periodic task counts if there are none', async () => {
  await refreshFleetStatistics(db)

  const hasCounted = await refreshFleetStatistics(db, { onlyIfDue: true })
  await db.deleteFrom('fleet_statistics').execute()
  const scheduler = startScheduler([refreshStatistics(db)], pino({ level: 'silent' }))
  await expect.poll(async () => (await reader.call(getFleetStatistics)).body.counts).not.toBeNull()
  await scheduler.stop()

  expect(hasCounted).toBe(false)
})
