import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { getComputerHealth } from '../../src/features/issues/api/get-computer-health.ts'
import { getComputerIssues } from '../../src/features/issues/api/get-computer-issues.ts'
import { getFleetStatistics } from '../../src/features/issues/api/get-fleet-statistics.ts'
import { issuesApi } from '../../src/features/issues/api/index.ts'
import { listIssueOverview } from '../../src/features/issues/api/list-issue-overview.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { issues } from '../../src/features/issues/issues.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { modelRuns } from '../world/model-runs.ts'
import {
  expectedHealth,
  expectedIssues,
  type PlannedComputer,
  type PlannedFilter,
  type PlannedThresholds,
  passes,
} from './fleet-model.ts'
import { openFleetMaker, openIssuesWorld, slowIntervals } from './issues-world.ts'

const world = await openIssuesWorld()
const reader = world.as('computer.read')
const { group, makeFleet } = await openFleetMaker(world)

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 })
const oneOf = (...values: number[]) => fc.constantFrom(...values)

// Values on both sides of every threshold, and equal to those thresholds that do not depend on the current time.
const computer: fc.Arbitrary<PlannedComputer> = fc.record({
  domain: fc.constantFrom('corp.example.org', 'Lab.example.org'),
  isWindows: fc.boolean(),
  isMember: fc.boolean(),
  seenHours: orNull(oneOf(0, 11, 23, 25, 47, 49, 71, 73, 167, 169, 251, 253, 503, 505, 700, 730)),
  intervalHours: oneOf(1, 1, ...slowIntervals),
  createdDays: oneOf(0, 13.9, 14.1),
  inventoryDays: orNull(oneOf(0, 13.9, 14.1, 100)),
  disks: fc.array(
    fc.record({
      type: oneOf(3, 3, 2, 5),
      total: orNull(oneOf(0, 50, 100)),
      free: orNull(oneOf(0, 4.9, 5, 9.999, 10, 20)),
      state: fc.constantFrom('Encrypted', 'Unencrypted'),
    }),
    { maxLength: 3 },
  ),
  batteries: fc.array(
    fc.record({ designed: orNull(oneOf(0, 10_000)), full: orNull(oneOf(0, 4_000, 6_000, 6_004, 6_006, 9_000)) }),
    { maxLength: 2 },
  ),
  agent: orNull(
    fc.record({
      reboot: fc.boolean(),
      suspension: orNull(fc.record({ hoursLeft: orNull(oneOf(-1, 1)) })),
    }),
  ),
  deployments: fc.array(
    fc.record({
      state: fc.constantFrom('Failed', 'Success', 'Pending', 'Pending'),
      pendingHours: oneOf(1, 23, 25, 47, 49, 719, 721),
      work: fc.constantFrom('none', 'waiting', 'started', 'later'),
    }),
    { maxLength: 3 },
  ),
  missing: fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
})

const thresholds = fc.record(
  {
    minFreePercent: oneOf(0, 5, 10, 11, 50),
    minFreeGb: oneOf(0, 5, 11),
    maxHealthPercent: oneOf(0, 40, 60, 90),
    minHoursStale: oneOf(0, 24, 48),
    maxHoursStale: oneOf(24, 48, 710),
    minHoursPending: oneOf(0, 2, 24, 48),
    maxDaysPending: oneOf(1, 2, 30, 40),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PlannedThresholds>

const filter = fc.record(
  {
    domain: fc.constantFrom('CORP.example.org', 'lab.EXAMPLE.org'),
    isMember: fc.boolean(),
    lastSeenWithinDays: oneOf(1, 2, 30),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PlannedFilter>

type Item = { id: number; issues?: { issue: string; count: number }[] }

async function listItems(operation: AnyOperation, query: object): Promise<Item[]> {
  const { body } = await reader.call(operation, { query: { top: 1_000, ...query } })
  return (body as { items: Item[] }).items
}

const sweepOf = (name: string) => issuesApi.find(({ path }) => path === `/api/computer/issues/${name}`) as AnyOperation

const ids = (items: readonly Item[]) => items.map(({ id }) => id)

test('the list, the sweeps, the overview, the issues and the health of one computer, and the statistics agree with each other and with a simple model', async () => {
  const fleets = fc.array(computer, { minLength: 1, maxLength: 6, size: 'max' })

  await fc.assert(
    fc.asyncProperty(fleets, thresholds, filter, async (planned, limits, { isMember, ...filters }) => {
      const computers = await makeFleet(planned)
      const query = { ...filters, ...(isMember && { groupId: group.id }) }
      const all = planned.map((one, at) => ({ id: computers[at]?.id ?? 0, one }))
      const selected = all.filter(({ one }) => passes(one, { ...filters, isMember: isMember ?? false }))

      const overview = await listItems(listIssueOverview, { ...query, ...limits, lastSeenDays: 0 })

      expect(
        overview.map(({ id, issues: findings = [] }) => [id, findings.map(({ issue, count }) => [issue, count])]),
      ).toEqual(
        selected
          .map(({ id, one }) => [id, [...expectedIssues(one, limits)]] as const)
          .filter(([, expected]) => expected.length > 0),
      )
      for (const { name, thresholds: own } of issues) {
        const known = Object.entries(limits).filter(([key]) => key in own)
        const swept = await listItems(sweepOf(name), { ...query, ...Object.fromEntries(known) })
        expect([name, ids(swept)]).toEqual([
          name,
          ids(overview.filter((item) => item.issues?.some(({ issue }) => issue === name))),
        ])
      }
      const sweeps = new Map<string, number[]>()
      for (const { name } of issues) sweeps.set(name, ids(await listItems(sweepOf(name), {})))
      const listed = await listItems(listComputers, {})
      for (const { id, one } of all) {
        const { body } = await reader.call(getComputerIssues, { params: { id } })
        expect(body.activeIssues).toEqual([...expectedIssues(one).keys()])
        expect(body.activeIssues).toEqual([...sweeps].filter(([, found]) => found.includes(id)).map(([name]) => name))
        expect(filledSections(body)).toEqual(body.activeIssues)
        const { body: health } = await reader.call(getComputerHealth, { params: { id } })
        expect(health.healthStatus).toBe(expectedHealth(one))
        const { body: detail } = await reader.call(getComputer, { params: { id } })
        expect(listed.find((item) => item.id === id)).toEqual(detail)
        expect(body).toMatchObject(identityOf(detail))
        for (const item of overview.filter((item) => item.id === id)) expect(item).toMatchObject(identityOf(detail))
      }
      await refreshFleetStatistics(world.db)
      const { counts } = (await reader.call(getFleetStatistics)).body
      expect(counts?.computers).toBe(all.length)
      expect(counts?.withIssues).toBe((await listItems(listIssueOverview, {})).length)
      expect(counts?.issues).toEqual([...sweeps].map(([issue, found]) => ({ issue, count: found.length })))
      expect(counts?.health).toEqual({
        Healthy: 0,
        Warning: 0,
        Unreachable: 0,
        ...countsOf(planned.map(expectedHealth)),
      })
    }),
    { numRuns: modelRuns(3) },
  )
})

/** The properties that every answer about a computer has in common. */
function identityOf(computer: Record<string, unknown>) {
  const { id, hostname, domain, macAddress, uuid, lastSeenUtc, serialNumber } = computer
  return { id, hostname, domain, macAddress, uuid, lastSeenUtc, serialNumber }
}

const countsOf = (values: readonly string[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(values, (value) => value)).map(([key, of]) => [key, of?.length]))

/** The issues whose sections are neither null nor false. */
function filledSections(body: Record<string, unknown>): string[] {
  const sections = [
    ['low-disk', 'lowDiskDrives'],
    ['battery-wear', 'wornBatteries'],
    ['bitlocker-off', 'unencryptedDisks'],
    ['pending-reboot', 'pendingReboot'],
    ['failed-deployment', 'failedPackages'],
    ['missing-patch', 'missingPatches'],
    ['stale-agent', 'staleAgentHours'],
    ['stale-inventory', 'staleInventoryDays'],
    ['stale-deployment', 'stalePendingPackages'],
    ['agent-suspended', 'suspensionMode'],
    ['software-drift', 'driftedPackages'],
  ] as const
  return sections.filter(([, field]) => body[field] !== null && body[field] !== false).map(([name]) => name)
}
