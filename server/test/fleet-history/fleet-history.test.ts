import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { getFleetHistory } from '../../src/features/fleet-history/api/get-fleet-history.ts'
import type { historyMetrics } from '../../src/features/fleet-history/history-samples.ts'
import { recordFleetHistory } from '../../src/features/fleet-history/record-history.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { since } from '../issues/fleet-model.ts'
import { openIssuesWorld } from '../issues/issues-world.ts'

const { as, db, deployment, given, work } = await openIssuesWorld()
const reader = as('computer.read')

type Query = {
  metric: (typeof historyMetrics)[number]
  packageName?: string
  resolution?: 'Hour' | 'Day'
  from?: string
  to?: string
}

const historyOf = async (query: Query) => (await reader.call(getFleetHistory, { query })).body

/** The values of the last sample by their names. */
const lastCounts = async (query: Query) => {
  const { series, timesUtc } = await historyOf(query)
  return Object.fromEntries(series.map(({ name, values }) => [name, values[timesUtc.length - 1]]))
}

/** Lets time pass for the samples, as if the last one was recorded hours ago. */
const letHoursPass = (hours: number) =>
  sql`update fleet_history set period = period - make_interval(hours => ${hours}) where resolution = 'Hour'`.execute(db)

async function recordSample() {
  await refreshFleetStatistics(db)
  return recordFleetHistory(db)
}

beforeEach(async () => {
  await sql`truncate fleet_history, fleet_statistics, computers, packages, tasks cascade`.execute(db)
})

test('the history counts computers, agents, issues, operating systems, work and deployments', async () => {
  const failing = await given.computer({
    lastSeen: since(1),
    inventory_at: since(1),
    os_name: 'Debian',
    os_edition: '12',
  })
  await given.computer({ lastSeen: since(24 * 9) })
  const one = await given.package()
  await deployment(failing, one, { result: 'Failed' })
  await work(failing, one, { state: 'Failed' })
  await work(failing, await given.package())

  await recordSample()

  expect(await lastCounts({ metric: 'computers' })).toEqual({ total: 2, reporting: 1, silent: 1, withFailures: 1 })
  expect(await lastCounts({ metric: 'agentStatus' })).toEqual({ Reporting: 1, Silent: 1, Stale: 0, Unknown: 0 })
  expect(await lastCounts({ metric: 'health' })).toEqual({ Warning: 1, Unreachable: 1, Healthy: 0 })
  expect(await lastCounts({ metric: 'issues' })).toMatchObject({ 'failed-deployment': 1, 'stale-agent': 1 })
  expect(await lastCounts({ metric: 'operatingSystems' })).toEqual({ 'Debian 12': 1, Unknown: 1 })
  expect(await lastCounts({ metric: 'deploymentStatus' })).toEqual({ Failed: 1, Pending: 0, Success: 0 })
  expect(await lastCounts({ metric: 'workState' })).toEqual({ Due: 1, Leased: 0, Success: 0, Failed: 1, Cancelled: 0 })
  expect(await lastCounts({ metric: 'patchAge' })).toMatchObject({ NotScanned: 2 })
})

test('the history counts missing patches by severity, and installed versions of a package', async () => {
  const product = await given.product()
  const [critical, unknown] = [
    await given.patch({ products: [product], vendor_severity: 'Critical' }),
    await given.patch({ products: [product] }),
  ]
  for (const missing of [[critical], [critical, unknown]]) {
    const reported = missing.map(({ key }) => ({ key, product: product.name, status: 'Missing' as const }))
    await given.patchScan(await given.computer(), reported)
  }
  const versions = [
    await given.package({ package_name: 'Editor', version: '1.0' }),
    await given.package({ package_name: 'editor', version: '2.0' }),
  ]
  for (const one of [...versions, ...versions.slice(1)])
    await deployment(await given.computer(), one, { result: 'Success', installation_state: 'Installed' })
  await deployment(await given.computer(), await given.package({ package_name: 'other' }), {
    installation_state: 'Installed',
  })

  await recordSample()

  expect(await lastCounts({ metric: 'missingPatches' })).toEqual({
    Critical: 2,
    Important: 0,
    Moderate: 0,
    Low: 0,
    Unknown: 1,
  })
  expect(await lastCounts({ metric: 'packageVersions', packageName: 'EDITOR' })).toEqual({ '1.0': 1, '2.0': 2 })
  expect(await lastCounts({ metric: 'packageVersions', packageName: 'absent' })).toEqual({})
})

describe('samples', () => {
  test('nodes that record at the same time leave one sample of each hour', async () => {
    await refreshFleetStatistics(db)

    const rows = await Promise.all([recordFleetHistory(db), recordFleetHistory(db), recordFleetHistory(db)])

    expect(rows.filter((count) => count > 0)).toHaveLength(1)
    expect(await recordFleetHistory(db)).toBe(0)
    expect((await historyOf({ metric: 'computers' })).timesUtc).toHaveLength(1)
    expect((await historyOf({ metric: 'computers', resolution: 'Day' })).timesUtc).toHaveLength(1)
  })

  test('an hour without a sample is missing, and a name that was not counted is zero', async () => {
    await given.computer({ os_name: 'Debian' })
    await recordSample()
    await letHoursPass(3)
    await given.computer({ os_name: 'Windows' })
    await recordSample()

    const { timesUtc, series } = await historyOf({ metric: 'operatingSystems' })

    const [first, second] = timesUtc.map((time) => Date.parse(String(time)))
    expect((second ?? 0) - (first ?? 0)).toBe(3 * 3_600_000)
    expect(series).toEqual([
      { name: 'Debian', values: [1, 1] },
      { name: 'Windows', values: [0, 1] },
    ])
  })

  test('an hour never gets counts of another hour', async () => {
    await refreshFleetStatistics(db)
    await sql`update fleet_statistics set calculated_at = calculated_at - interval '1 day'`.execute(db)

    expect(await recordFleetHistory(db)).toBe(0)
  })

  test('hours are kept for 90 days and days for 5 years', async () => {
    for (const [resolution, days] of [
      ['Hour', 89],
      ['Hour', 91],
      ['Day', 1_800],
      ['Day', 1_830],
    ] as const)
      await sql`
        insert into fleet_history (metric, resolution, period, counts)
        values ('computers', ${resolution}, now() - make_interval(days => ${days}), '{"total": 1}')`.execute(db)

    await recordSample()

    const past = { metric: 'computers', from: '2000-01-01T00:00:00Z', to: since(48).toISOString() } as const
    const ages = async (resolution: 'Hour' | 'Day') =>
      (await historyOf({ ...past, resolution })).timesUtc.map((time) =>
        Math.round((Date.now() - Date.parse(String(time))) / 86_400_000),
      )
    expect(await ages('Hour')).toEqual([89])
    expect(await ages('Day')).toEqual([1_800])
  })
})

test('the name of a package is required for its versions and refused for other metrics', async () => {
  const without = await reader.call(getFleetHistory, { query: { metric: 'packageVersions' } })
  const needless = await reader.call(getFleetHistory, { query: { metric: 'computers', packageName: 'Editor' } })

  expect(without).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  expect(needless).toMatchObject({ status: 400, problem: 'InvalidRequest' })
})
