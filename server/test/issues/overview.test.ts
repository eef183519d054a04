import { expect, test } from 'vitest'
import { getComputerIssues } from '../../src/features/issues/api/get-computer-issues.ts'
import { listIssueOverview } from '../../src/features/issues/api/list-issue-overview.ts'
import { since } from './fleet-model.ts'
import { openIssuesWorld } from './issues-world.ts'

const { as, given, disk, battery, agent, deployment } = await openIssuesWorld()
const reader = as('computer.read')

const ownDomain = () => `${crypto.randomUUID()}.example.org`
const fresh = () => ({ inventory_at: since(1), lastSeen: since(1) })

async function listFindings(query: object) {
  const { body } = await reader.call(listIssueOverview, { query })
  return body.items.map(({ id, issues }) => [id, issues.map(({ issue }) => issue)])
}

test('the overview lists every issue of a computer with its number of occurrences and a short text', async () => {
  const domain = ownDomain()
  const computer = await given.computer({ domain, ...fresh() })
  await given.computer({ domain, ...fresh() })
  await disk(computer, { position: 0, free: 3 })
  await disk(computer, { position: 1, free: 4 })
  await agent(computer, { is_reboot_required: true, reboot_required_source: 'a kernel' })

  const { body } = await reader.call(listIssueOverview, { query: { domain } })

  expect(body).toMatchObject({ totalCount: 1 })
  expect(body.items[0]).toMatchObject({
    id: computer.id,
    hostname: computer.name,
    domain,
    issues: [
      { issue: 'low-disk', count: 2, detail: 'volume 0 3.0 GB free, volume 1 4.0 GB free' },
      { issue: 'pending-reboot', count: 1, detail: 'a kernel' },
    ],
  })
})

test('the overview leaves out computers without a contact in 30 days unless lastSeenDays sets another limit', async () => {
  const domain = ownDomain()
  const recent = await given.computer({ domain, lastSeen: since(29 * 24) })
  const old = await given.computer({ domain, lastSeen: since(31 * 24) })
  const never = await given.computer({ domain, created_at: since(15 * 24) })

  const found = async (query: object) => (await listFindings({ domain, ...query })).map(([id]) => id)

  expect(await found({})).toEqual([recent.id])
  expect(await found({ lastSeenDays: 32 })).toEqual([recent.id, old.id])
  expect(await found({ lastSeenDays: 0 })).toEqual([recent.id, old.id, never.id])
  expect(await found({ lastSeenDays: 0, lastSeenWithinDays: 32 })).toEqual([recent.id, old.id])
  expect(await found({ lastSeenDays: 32, lastSeenWithinDays: 1 })).toEqual([])
})

test('the overview reports only the issues in the filter and refuses unknown names', async () => {
  const domain = ownDomain()
  const computer = await given.computer({ domain, created_at: since(15 * 24), lastSeen: since(25) })

  const stale = await listFindings({ domain, issues: 'stale-agent, LOW-DISK' })
  const unknown = await reader.call(listIssueOverview, { query: { issues: 'low-disk,high-disk' } })
  const empty = await reader.call(listIssueOverview, { query: { issues: ',' } })

  expect(await listFindings({ domain })).toEqual([[computer.id, ['stale-agent', 'stale-inventory']]])
  expect(await listFindings({ domain, issues: 'low-disk' })).toEqual([])
  expect(stale).toEqual([[computer.id, ['stale-agent']]])
  for (const refused of [unknown, empty])
    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'issues' }] } })
})

test('the thresholds of the overview override those of the sweeps', async () => {
  const domain = ownDomain()
  const computer = await given.computer({ domain, inventory_at: since(1), lastSeen: since(2) })
  await disk(computer, { free: 50 })
  await battery(computer, { designed: 100, full: 80 })
  await deployment(computer, await given.package(), { pending_since: since(3) })

  const found = await listFindings({
    domain,
    minFreeGb: 51,
    maxHealthPercent: 80,
    minHoursStale: 1,
    minHoursPending: 2,
  })
  const fewer = await listFindings({
    domain,
    minFreePercent: 51,
    minHoursStale: 1,
    maxHoursStale: 1,
    minHoursPending: 2,
    maxDaysPending: 0,
  })

  expect(await listFindings({ domain })).toEqual([])
  expect(found).toEqual([[computer.id, ['low-disk', 'battery-wear', 'stale-agent', 'stale-deployment']]])
  expect(fewer).toEqual([[computer.id, ['low-disk']]])
})

test('all sections of a computer without issues are null or false', async () => {
  const computer = await given.computer(fresh())

  const { body } = await reader.call(getComputerIssues, { params: { id: computer.id } })

  expect(body).toMatchObject({
    id: computer.id,
    activeIssues: [],
    failedPackages: null,
    missingPatches: null,
    pmClientGaps: null,
    unencryptedDisks: null,
    lowDiskDrives: null,
    wornBatteries: null,
    pendingReboot: false,
    staleAgentHours: null,
    staleInventoryDays: null,
    stalePendingPackages: null,
    suspensionMode: null,
    suspendedUntil: null,
  })
})

test('the issues of a computer list its 25 most severe missing security patches', async () => {
  const computer = await given.computer(fresh())
  const product = await given.product()
  const patches = []
  for (let made = 0; made < 26; made++)
    patches.push(await given.patch({ products: [product], cvss_score: made === 25 ? 10 : 1 }))
  await given.patchScan(
    computer,
    patches.map(({ key }) => ({ key, product: product.name, status: 'Missing' })),
  )

  const { body } = await reader.call(getComputerIssues, { params: { id: computer.id } })

  expect(body.activeIssues).toEqual(['missing-patch'])
  expect(body.missingPatches).toHaveLength(25)
  expect(body.missingPatches?.[0]).toMatchObject({ patchId: patches[25]?.id, cvssScore: 10 })
  expect(body.pmClientGaps).toHaveLength(2)
})

test('the issues of an unknown computer answer 404', async () => {
  const answered = await reader.call(getComputerIssues, { params: { id: 2 ** 31 - 1 } })

  expect(answered).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
})
