import { packageKinds } from '@muster/package-format'
import { expect, test } from 'vitest'
import { listDepotServers } from '../../server/src/features/depots/api/synchronisation/list-depot-servers.ts'
import { listSyncDepots } from '../../server/src/features/depots/api/synchronisation/list-sync-depots.ts'
import { getFleetOverview } from '../../server/src/features/fleet/api/get-fleet-overview.ts'
import { listFleetPackages } from '../../server/src/features/fleet/api/list-fleet-packages.ts'
import { listGroups } from '../../server/src/features/groups/api/list-groups.ts'
import { type FleetCounts, refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { listPackageLines } from '../../server/src/features/package-lines/api/list-package-lines.ts'
import { listPackageUploads } from '../../server/src/features/package-uploads/api/list-package-uploads.ts'
import { listPackages } from '../../server/src/features/packages/api/list-packages.ts'
import { listPmGroups } from '../../server/src/features/patch-management/api/pm-groups/list-pm-groups.ts'
import { listPreDownloads } from '../../server/src/features/pre-downloads/api/list-pre-downloads.ts'
import { listTags } from '../../server/src/features/tags/api/list-tags.ts'
import { getWingetPackage } from '../../server/src/features/winget/api/get-winget-package.ts'
import { searchWingetPackages } from '../../server/src/features/winget/api/search-winget-packages.ts'
import { roleNames } from '../../server/src/platform/roles.ts'
import { openDemoFleet } from '../world/demo-fleet.ts'
import { demoComputers } from '../world/demo-template.ts'
import { exportDesiredState, recreate } from './round-trip.ts'

const { as, db, fleet, given, store } = await openDemoFleet()

type Page = { totalCount: number }

async function countItems(url: string): Promise<number> {
  const { body } = await as('computer.read', 'package.read', 'pm.read').send({ method: 'GET', url })
  return (body as Page).totalCount
}

test.for([
  'low-disk',
  'battery-wear',
  'bitlocker-off',
  'pending-reboot',
  'failed-deployment',
  'shared-package-failure',
  'shared-package-failure/devices?packageName=Time%20Tracker',
  'missing-patch',
  'stale-agent',
  'stale-inventory',
  'stale-deployment',
  'agent-suspended',
  'software-drift',
  'overview',
])('the issue sweep %s finds computers in the data set', async (sweep) => {
  const found = await countItems(`/api/computer/issues/${sweep}`)

  expect(found).toBeGreaterThan(0)
})

type Figure = { figure: keyof FleetCounts; value: string; count: number }

/** Counts what the list or the sweep of a figure finds. */
const countsByList: Record<keyof FleetCounts, (value: string) => Promise<number>> = {
  computers: () => countItems('/api/computer'),
  withIssues: () => countItems('/api/computer/issues/overview'),
  issues: (issue) => countItems(`/api/computer/issues/${issue}`),
  health: (status) => countItems(`/api/fleet/computers?healthStatus=${status}`),
  agentStatus: (status) => countItems(`/api/fleet/computers?agentStatus=${status}`),
  operatingSystems: (name) => countItems(`/api/fleet/computers?operatingSystem=${encodeURIComponent(name)}`),
  patchAge: (age) => countItems(`/api/fleet/computers?patchAge=${age}`),
  missingSeverity: (severity) => countItems(`/api/fleet/computers?missingSeverity=${severity}`),
  async deploymentStatus(status) {
    const { items } = (await as('package.read').call(listFleetPackages, { query: { top: 1_000 } })).body
    const key = status.toLowerCase() as 'success' | 'failed' | 'pending'
    return items.reduce((sum, { deployments }) => sum + deployments[key], 0)
  },
}

/** Every number in the counts of the fleet, with the name and the value that it is counted for. */
const figuresOf = (counts: FleetCounts): Figure[] =>
  (Object.keys(counts) as (keyof FleetCounts)[]).flatMap((figure) => {
    const counted = counts[figure]
    if (typeof counted === 'number') return [{ figure, value: '', count: counted }]
    if (!Array.isArray(counted)) return Object.entries(counted).map(([value, count]) => ({ figure, value, count }))
    return counted.map(({ count, ...named }) => ({ figure, value: Object.values(named)[0] ?? '', count }))
  })

test('every figure of the overview is the number that the list or the sweep of its name counts', async () => {
  await refreshFleetStatistics(db)
  const { counts } = (await as('computer.read').call(getFleetOverview)).body.statistics
  const figures = figuresOf(counts ?? expect.unreachable())

  const listed = await Promise.all(
    figures.map(async ({ figure, value }) => ({ figure, value, count: await countsByList[figure](value) })),
  )

  expect(figures).toEqual(listed)
  expect(figures.filter(({ count }) => count > 0).length).toBeGreaterThan(20)
})

test('the data set has computers with missing patches and computers with installed patches', async () => {
  const [missing, installed] = await Promise.all([
    countItems('/api/computer/patch-status?patchName=Cumulative&scanStatus=Missing'),
    countItems('/api/computer/patch-status?patchName=Cumulative&scanStatus=Installed'),
  ])

  expect({ missing, installed }).toEqual({ missing: expect.toSatisfy(Boolean), installed: expect.toSatisfy(Boolean) })
})

test('the data set has deployments in every state', async () => {
  const rows = await db.selectFrom('deployments').select('status').distinct().execute()

  expect(rows.map(({ status }) => status).toSorted()).toEqual(['Failed', 'Pending', 'Success'])
})

test('the data set has packages of every kind, groups at three levels, PM groups, tags and a depot that is online', async () => {
  const caller = as('computer.read', 'group.read', 'package.read', 'pm.read')
  const groups = await caller.call(listGroups, { query: { top: 200 } })
  const pmGroups = await caller.call(listPmGroups)
  const depots = await caller.call(listSyncDepots)
  const tags = await caller.call(listTags)
  const packages = await caller.call(listPackages, { query: { top: 1000 } })

  const parents = new Map(groups.body.items.map(({ id, parentId }) => [id, parentId]))
  const depthOf = (id: string | null | undefined): number => (id ? 1 + depthOf(parents.get(id)) : 0)
  expect([...new Set(packages.body.items.map(({ kind }) => kind))].toSorted()).toEqual(
    Object.values(packageKinds).toSorted(),
  )
  expect(Math.max(...groups.body.items.map(({ id }) => depthOf(id)))).toBeGreaterThanOrEqual(4)
  expect(pmGroups.body.items.length).toBeGreaterThan(3)
  expect(JSON.stringify(depots.body)).toContain('online')
  expect(tags.body.items.length).toBeGreaterThan(2)
  expect(packages.body.items.length).toBeGreaterThan(15)
})

test('the data set shows how software comes: uploads, winget, a repository, a proposed upgrade, a trial and downloads ahead', async () => {
  const caller = as('computer.read', 'package.read', 'package.write')
  const uploads = (await caller.call(listPackageUploads)).body.items
  const winget = (await caller.call(searchWingetPackages, { query: { search: 'diagrams' } })).body
  const { packages, rest } = (
    await caller.call(getWingetPackage, { params: { identifier: 'Example.Diagrams' }, query: {} })
  ).body
  const lines = (await caller.call(listPackageLines, { query: { top: 200 } })).body.items
  const known = (await caller.call(listPackages, { query: { top: 1000 } })).body.items
  const downloads = (await caller.call(listPreDownloads)).body

  expect(uploads.map(({ fileName, state }) => `${fileName} ${state}`).toSorted()).toEqual([
    'label-printer-3.4.1.sh Ready',
    'office-suite-2026.iso Receiving',
    'vpn-client-5.zip Ready',
  ])
  expect(winget.items).toEqual([{ identifier: 'Example.Diagrams', latestVersion: '3.2.0', versionCount: 2 }])
  expect([packages.map(({ architecture }) => architecture), rest]).toEqual([['x64', 'x86'], []])
  expect(known).toContainEqual(expect.objectContaining({ name: 'Process Viewer', version: '3.2 or later' }))
  expect(known.filter(({ lastTrial }) => lastTrial).map(({ name }) => name)).toEqual(['Browser'])
  expect(lines.filter(({ proposal }) => proposal).map(({ name }) => name)).toContain('Office Fonts')
  expect(downloads).toMatchObject([{ packageName: 'PDF Viewer', total: expect.toSatisfy(Boolean) }])
})

test('every computer of the data set has its own client id, and the service lists them all', async () => {
  const enrolled = fleet.clientId.slice(0, demoComputers)

  expect(new Set(enrolled).size).toBe(demoComputers)
  expect(await countItems('/api/computer?top=1')).toBe(demoComputers + 5 + (await countMasterServers()))
})

/** The machine that runs the service becomes a computer in a real start only. */
async function countMasterServers(): Promise<number> {
  const { items } = (await as('computer.read').call(listDepotServers)).body
  return items.filter(({ role }) => role === 'MasterServer').length
}

test('the desired state of the demo, applied to an empty service with the same packages and patches, is exported again', async () => {
  await given.identityPrincipal({ displayName: 'Ada', roles: ['pm.read', 'computer.read'] })
  const state = await exportDesiredState(as(...roleNames))

  const recreated = await recreate(state, store)

  expect(recreated).toEqual(state)
  expect(Object.entries(state).map(([section, objects]) => [section, objects.length > 0])).toEqual(
    Object.keys(state).map((section) => [section, true]),
  )
  expect(Object.keys(state)).toHaveLength(11)
})
