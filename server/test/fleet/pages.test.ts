import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { createComputer } from '../../src/features/computers/api/create-computer.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { listDistributionHistory } from '../../src/features/deployments/api/history/list-distribution-history.ts'
import { listSetupErrorLog } from '../../src/features/deployments/api/history/list-setup-error-log.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { exportFleetComputers } from '../../src/features/fleet/api/export-fleet-computers.ts'
import { getComputerPage } from '../../src/features/fleet/api/get-computer-page.ts'
import { getFleetOverview } from '../../src/features/fleet/api/get-fleet-overview.ts'
import { getGroupPage } from '../../src/features/fleet/api/get-group-page.ts'
import { getPackagePage } from '../../src/features/fleet/api/get-package-page.ts'
import { listComputerEvents } from '../../src/features/fleet/api/list-computer-events.ts'
import { listFleetComputers } from '../../src/features/fleet/api/list-fleet-computers.ts'
import { listFleetGroups } from '../../src/features/fleet/api/list-fleet-groups.ts'
import { getComputerHealth } from '../../src/features/issues/api/get-computer-health.ts'
import { getComputerIssues } from '../../src/features/issues/api/get-computer-issues.ts'
import { getFleetStatistics } from '../../src/features/issues/api/get-fleet-statistics.ts'
import { createRollout } from '../../src/features/rollouts/api/create-rollout.ts'
import { listRollouts } from '../../src/features/rollouts/api/list-rollouts.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { sequenceAll } from '../events/read-log.ts'
import { countStatements } from '../world/statements.ts'
import { openFleetWorld } from './fleet-world.ts'

const world = await openFleetWorld(24)
const { as, db, given, software } = world
const reader = as('computer.read')
const all = as('computer.read', 'group.read', 'package.read', 'admin.manage')
const [berlin, , pilot] = world.groups
if (!berlin || !pilot) throw new Error('The world has three groups.')
await given.assignment(berlin, software, 'package')
await given.assignment(await given.root('ConfigurationGroups'), await given.package({ name: 'Everywhere' }), 'package')

/** The number of statements of a request, without the one that reads the roles of the caller. */
async function countOf(operation: AnyOperation, input: object): Promise<number> {
  await all.call(operation, input)
  const count = await countStatements(async () => expect((await all.call(operation, input)).status).toBe(200))
  return count - 1
}

async function failingComputer() {
  const { body } = await reader.call(listFleetComputers, {
    query: { issue: ['failed-deployment'], groupId: [berlin?.id ?? ''] },
  })
  const [found] = body.items
  if (!found) throw new Error('No computer of the group has a failed deployment.')
  return found
}

test('the page of a computer shows what the operations of the contract show', async () => {
  const { id } = await failingComputer()
  await world.event({ id }, software, { result: 'Failed' })
  await world.setupError({ id }, software, { exit_code: 3, output: 'broken' })
  await world.work({ id }, software)
  const params = { id }

  const { body: page } = await reader.call(getComputerPage, { params })

  const { body: health } = await reader.call(getComputerHealth, { params })
  const { body: packages } = await reader.call(listSoftwareDeployments, { params })
  expect(page.computer).toEqual((await reader.call(getComputer, { params })).body)
  expect(page).toMatchObject({
    healthStatus: health.healthStatus,
    agentStatus: health.agentStatus,
    model: health.model,
  })
  expect(page.issues.map(({ issue }) => issue)).toEqual(
    (await reader.call(getComputerIssues, { params })).body.activeIssues,
  )
  expect(page.packages).toMatchObject(packages.map(({ setupErrorLogEntries: _, ...one }) => one))
  expect(page.packages).toContainEqual(
    expect.objectContaining({ softwareId: software.id, assignedGroupId: berlin.id, assignedGroupPath: berlin.path }),
  )
  expect(page.latestEvents).toEqual((await reader.call(listDistributionHistory, { params })).body.items)
  expect(page.latestErrors).toEqual((await reader.call(listSetupErrorLog, { params })).body.items)
  expect(page.latestTasks).toEqual((await reader.call(listTasks, { query: { clientId: id } })).body.items)
  expect([page.latestEvents, page.latestErrors, page.latestTasks].every(({ length }) => length > 0)).toBe(true)
})

test('the page of a computer shows a suspension until it ends', async () => {
  const [suspended, over] = [await given.computer(), await given.computer()]
  const until = new Date(Date.now() + 3_600_000)
  await world.agent(suspended, { suspension_mode: 'MaintenanceMode', suspended_until: until })
  await world.agent(over, { suspension_mode: 'Suspended', suspended_until: new Date(Date.now() - 1_000) })
  const suspensionOf = async ({ id }: { id: number }) => {
    const { body } = await reader.call(getComputerPage, { params: { id } })
    return { suspensionMode: body.suspensionMode, suspendedUntil: body.suspendedUntil }
  }

  expect(await suspensionOf(suspended)).toEqual({
    suspensionMode: 'MaintenanceMode',
    suspendedUntil: until.toISOString(),
  })
  expect(await suspensionOf(over)).toEqual({ suspensionMode: null, suspendedUntil: null })
  await sql`delete from computers where id in (${suspended.id}, ${over.id})`.execute(db)
})

test('the events about a computer are listed newest first, page by page, and nothing about others', async () => {
  const [one, other] = [await given.computer(), await given.computer()]
  const rename = (id: number, name: string) =>
    as('computer.write').call(updateComputer, { params: { id }, body: { name } })
  for (const name of ['first', 'second', 'third']) {
    await rename(one.id, `${name}-name`)
    await rename(other.id, `other-${name}`)
  }
  await sequenceAll(db)
  const list = async (query: object) =>
    (await reader.call(listComputerEvents, { params: { id: one.id }, query: { types: 'muster.computer.*', ...query } }))
      .body

  const newest = await list({ limit: 2 })
  const older = await list({ limit: 10, before: newest.nextBefore ?? '' })

  const events = [...newest.items, ...older.items]
  const positions = events.map(({ position }) => Number(position))
  expect(newest.items).toHaveLength(2)
  expect(older.nextBefore).toBeNull()
  expect(positions).toEqual([...positions].sort((a, b) => b - a))
  expect(events.map(({ type }) => type)).toEqual([
    ...Array(3).fill('muster.computer.changed'),
    'muster.computer.created',
  ])
  expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set([`/api/computer/${one.id}`]))
  await sql`delete from computers where id in (${one.id}, ${other.id})`.execute(db)
})

test('the page of a group shows its own and its inherited assignments with their origin and results', async () => {
  const { body: page } = await all.call(getGroupPage, { params: { id: berlin.id } })

  const { body: status } = await all.call(getPackageStatus, {
    params: { id: software.id },
    query: { groupId: berlin.id },
  })
  const { total, success, failed, pending, notApplicable } = status
  expect(page.assignments).toMatchObject([
    { type: 'Package', name: 'Everywhere', originGroupPath: 'Configuration', isInherited: true },
    { type: 'Package', objectId: software.id, originGroupId: berlin.id, isInherited: false },
  ])
  expect(page.assignments[1]?.status).toEqual({ total, success, failed, pending, notApplicable })
  expect(failed).toBeGreaterThan(0)
  expect(page.members).toBe(total)
  expect(Object.values(page.health ?? {}).reduce((sum, count) => sum + count, 0)).toBe(total)
})

test('the page of a package groups its failures by exit code and by what their output has in common', async () => {
  const failing = await given.package()
  const outputs = [
    [1, 'step 1\ncannot write /var/lib/a/17: no space left'],
    [1, 'cannot write /opt/b/4711: no space left'],
    [1, 'access denied'],
    [2, 'access denied'],
  ] as const
  const computers = []
  for (const [exit_code, output] of outputs) {
    const computer = await given.computer()
    computers.push(computer)
    await given.member(pilot, computer)
    await world.deployment(computer, failing, { result: 'Failed', failed_at: new Date() })
    await world.setupError(computer, failing, { exit_code, output })
  }
  await given.assignment(pilot, failing, 'package')

  const { body: page } = await all.call(getPackagePage, { params: { id: failing.id } })

  const { body: status } = await all.call(getPackageStatus, { params: { id: failing.id } })
  const { total, success, failed, pending, notApplicable } = status
  expect(page.status).toEqual({ total, success, failed, pending, notApplicable })
  expect(page.groups).toMatchObject([{ id: pilot.id, path: pilot.path }])
  expect(page.failureCauses?.map(({ exitCode, count }) => ({ exitCode, count }))).toEqual([
    { exitCode: 1, count: 2 },
    { exitCode: 1, count: 1 },
    { exitCode: 2, count: 1 },
  ])
  expect(page.failureCauses?.[0]?.exampleOutput).toContain('no space left')
  await sql`delete from computers where id = any (${computers.map(({ id }) => id)}::integer[])`.execute(db)
})

test('the overview shows the statistics of the fleet, and the rollouts and tasks that run', async () => {
  const { id } = await failingComputer()
  const { task_id } = await world.work({ id }, await given.package())
  await given.assignment(pilot, await given.package(), 'package')
  const { body: rollout } = await as('activation.execute', 'computer.read').call(createRollout, {
    body: { name: 'Pilot first', groupId: pilot.id, rings: [{ count: 1 }, {}] },
  })

  const { body: overview } = await reader.call(getFleetOverview)
  const { body: rollouts } = await reader.call(listRollouts)

  expect(overview.statistics.counts).toEqual((await reader.call(getFleetStatistics)).body.counts)
  expect(overview.runningTasks.find(({ task }) => task.trackingId === task_id)).toMatchObject({ total: 1, open: 1 })
  expect(overview.runningRollouts[0]).toMatchObject({ rolloutId: rollout.rolloutId, state: 'Running', ringCount: 2 })
  // A step that is due now is due at the time of each request.
  const due = { atUtc: expect.any(String) }
  expect(overview.runningRollouts).toEqual(rollouts.items.map((one) => ({ ...one, next: { ...one.next, ...due } })))
  expect(overview.steps).toMatchObject({ hasComputer: true, hasPackage: null, hasIdentityProvider: false })
})

test('only administrators see how many agents wait for confirmation, and the commands of the installation', async () => {
  const { id } = await given.computer()
  await given.quarantinedAgent({ id })

  const { body: seen } = await as('computer.read', 'admin.manage').call(getFleetOverview)
  const { body: hidden } = await reader.call(getFleetOverview)

  expect(seen.waitingAgents).toBe(1)
  expect(seen.steps.commands).toMatchObject({
    isClone: true,
    copyExample: expect.stringMatching(/^cp -r \/.*\/examples\/packages\/greeting \/.*\/packages\/$/),
  })
  expect(hidden).toMatchObject({ waitingAgents: null, steps: { commands: null } })
  await sql`delete from computers where id = ${id}`.execute(db)
})

test('a page answers with the same few statements, however much it shows', async () => {
  const { id } = await failingComputer()
  const counts = async () => ({
    list: await countOf(listFleetComputers, {}),
    computer: await countOf(getComputerPage, { params: { id } }),
    group: await countOf(getGroupPage, { params: { id: berlin.id } }),
    package: await countOf(getPackagePage, { params: { id: software.id } }),
    overview: await countOf(getFleetOverview, {}),
    groups: await countOf(listFleetGroups, {}),
    audit: await countOf(listAuditEntries, {}),
  })
  const before = await counts()

  for (let at = 0; at < 5; at++) {
    const added = await given.package()
    await given.assignment(berlin, added, 'package')
    await given.group({ parent: berlin })
    await world.work({ id }, added)
    await as('computer.write').call(createComputer, {
      body: { name: `more-${at}`, domain: 'd', isDomain: false, macAddress: `02000000000${at}` },
    })
  }

  expect(await counts()).toEqual({ ...before, audit: expect.any(Number) })
  expect(before).toMatchObject({ list: 3, computer: 7, group: 8, package: 5, overview: 8, groups: 1 })
  expect((await counts()).audit).toBeLessThanOrEqual(3)
  await sql`delete from computers where name like 'more-%'`.execute(db)
})

test('who may not read computers or packages sees nothing of them on the page of a group or a package', async () => {
  const { body: group } = await as('group.read').call(getGroupPage, { params: { id: berlin.id } })
  const { body: one } = await as('package.read').call(getPackagePage, { params: { id: software.id } })

  expect(group.health).toBeNull()
  expect(group.assignments.every(({ status }) => status === null)).toBe(true)
  expect(one.failureCauses).toBeNull()
  for (const operation of [listFleetComputers, getComputerPage, exportFleetComputers] as AnyOperation[])
    expect(await as('group.read', 'package.read').call(operation, { params: { id: 1 } })).toMatchObject({ status: 403 })
})

test('the export has the computers of the list in its order, and no cell that a spreadsheet would evaluate', async () => {
  const query = { sort: 'loggedOnUser', descending: true } as const
  const { body } = await reader.call(listFleetComputers, { query })

  const answer = await reader.send({
    method: 'GET',
    url: `${exportFleetComputers.path}?sort=loggedOnUser&descending=true`,
  })

  const text = String(answer.raw)
  const [header, ...lines] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(header).toMatch(/^id,hostname,domain,/)
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(body.items.map(({ id }) => id))
  expect(text).toContain(",'=cmd(),")
  expect(text).not.toMatch(/(^|,)"?[=+@-]/m)
  expect(text).toContain('Jörg Müller')
  expect(text).toContain(String.raw`,gnp\u202e.exe\u001b[2J,`)
  expect(text).toContain(String.raw`,\u200b=cmd(),`)
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
