import { expect, test } from 'vitest'
import { cancelUninstallOnComputers } from '../../src/features/deployments/api/selection/cancel-uninstall-on-computers.ts'
import { installOnComputers } from '../../src/features/deployments/api/selection/install-on-computers.ts'
import { uninstallOnComputers } from '../../src/features/deployments/api/selection/uninstall-on-computers.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { openApprovalWorld, type Refusal } from '../blast-radius/approval-world.ts'
import { fingerprints } from '../world/tables.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { approve, as, db, given, principal, setQuota } = await openApprovalWorld()
const state = deploymentStateIn(db, given)
const unknownId = 2_000_000_000

const reader = as('computer.read')
const installer = as('activation.execute', 'group.write', 'computer.read')
const operator = as('activation.execute')

type Some = { id: string }
type Computer = { id: number }

const idsOf = (computers: readonly Computer[]) => computers.map(({ id }) => id)
const bodyOf = (computers: readonly Computer[], { id }: Some) => ({ computerIds: idsOf(computers), packageId: id })
const install = (computers: readonly Computer[], one: Some, query = {}) =>
  installer.call(installOnComputers, { body: bodyOf(computers, one), query })
const uninstall = (computers: readonly Computer[], one: Some, query = {}) =>
  operator.call(uninstallOnComputers, { body: bodyOf(computers, one), query })
const released = (columns = {}) => given.package({ is_operational: true, hash_state: 'Current', ...columns })

const commandsOf = async (group: Some, of: Some) =>
  (
    await as('group.read').call(getDistributionOptions, {
      params: { id: group.id },
      query: { packageId: of.id },
    })
  ).body.commands

/** A group with a package that is installed on its computers. */
async function groupWith(count: number, one?: Some) {
  const software = one ?? (await released())
  const group = await given.group()
  await given.assignment(group, software, 'package')
  const computers: Computer[] = []
  for (let n = 0; n < count; n++) {
    const computer = await given.computer()
    await given.member(group, computer)
    await state.installed(computer, software)
    computers.push(computer)
  }
  return { group, software, computers }
}

test('a package is installed on a selection: who lacks an assignment joins the group of the package, and only this package is due', async () => {
  const software = await released()
  const { computer: assigned, group, software: other } = await state.member()
  await given.assignment(group, software, 'package')
  const [free, alone] = [await given.computer(), await given.computer()]

  const { body } = await install([assigned, free, alone, { id: unknownId }], software)

  expect(body).toMatchObject({ computersWithWork: 3, alreadyInstalled: 0, notApplicable: 0, notFound: 1 })
  expect(body.joinedComputerIds.toSorted()).toEqual(idsOf([free, alone]).toSorted())
  expect(body.groups).toMatchObject([
    { groupPath: expect.stringContaining('/Requested software/'), selected: 2, isJoined: true },
    { groupId: group.id, groupPath: group.path, selected: 1, isJoined: false },
  ])
  for (const one of [assigned, free, alone])
    expect(await state.openWork(one)).toMatchObject([{ package_id: software.id, kind: 'Install' }])
  expect((await reader.call(getTask, { params: { trackingId: body.trackingId ?? '' } })).body).toMatchObject({
    type: 'Activation',
    total: 3,
  })
  expect(other.id).not.toBe(software.id)
})

test('a second selection joins the same group of the package, and leaving it takes the package back', async () => {
  const software = await released()
  const [first, second] = [await given.computer(), await given.computer()]
  const { body: before } = await install([first], software)

  const { body } = await install([second], software)
  const groupId = body.groups[0]?.groupId ?? ''
  await as('group.write').call(removeGroupComputers, {
    params: { id: groupId },
    query: { computerIds: body.joinedComputerIds },
  })

  expect(groupId).toBe(before.groups[0]?.groupId)
  expect(await state.openWork(second)).toEqual([])
  expect(await state.openWork(first)).toHaveLength(1)
})

test('computers that have the package, that it is not for, or that are to uninstall it are left out and counted', async () => {
  const software = await released({ operating_systems: ['Windows'] })
  const { computers: having } = await groupWith(1, software)
  const { computer: leaving, group } = await state.member()
  await given.assignment(group, software, 'package')
  await state.options(group, software, ['Uninstall'])
  const wrong = await given.computer({ os_name: 'Debian GNU/Linux', platform: 'Linux' })
  const right = await given.computer()

  const tried = await install([...having, leaving, wrong, right], software, { dryRun: true })

  expect(tried.body).toMatchObject({ computersWithWork: 1, alreadyInstalled: 1, notApplicable: 1, toUninstall: 1 })
  expect(tried.headers['muster-affected-computers']).toBe('1')
  expect(tried.body.plan?.packages).toMatchObject([{ packageId: software.id, install: 1 }])
})

test('a package that is not released, or has another endpoint, is not installed on a selection', async () => {
  const computer = await given.computer()
  const [unreleased, template] = [await given.package({ is_operational: false }), await given.agentTemplate()]
  const before = await fingerprints(db)

  expect(await install([computer], unreleased)).toMatchObject({ status: 409, problem: 'PackageNotReleased' })
  expect(await install([computer], template)).toMatchObject({ status: 409, problem: 'WrongEndpointForType' })
  expect(await fingerprints(db)).toEqual(before)
})

test('installing on a selection needs the rights to change groups as well', async () => {
  const call = { body: bodyOf([await given.computer()], await released()) }

  expect((await operator.call(installOnComputers, call)).status).toBe(403)
})

test('a package is uninstalled from a selection, the answer names the groups whose other computers follow, and other packages stay', async () => {
  const { group, software, computers } = await groupWith(3)
  const [first, second, bystander] = computers as [Computer, Computer, Computer]
  const elsewhere = await groupWith(1, software)
  const { computer: lacking, group: lackingGroup } = await state.member()
  await given.assignment(lackingGroup, software, 'package')
  const outside = await given.computer()

  const selected = [first, second, ...elsewhere.computers, lacking, outside, { id: unknownId }]
  const tried = await uninstall(selected, software, { dryRun: true })
  const { body } = await uninstall(selected, software, { expectedCount: 4 })

  expect(tried.headers['muster-affected-computers']).toBe('4')
  expect(body).toMatchObject({ computersWithWork: 3, notInstalled: 1, notAssigned: 1, notFound: 1, alreadyPending: 0 })
  expect(body.groups.toSorted((a, b) => b.computers - a.computers)).toMatchObject([
    { groupId: group.id, groupPath: group.path, selected: 2, computers: 3 },
    { groupId: elsewhere.group.id, selected: 1, computers: 1 },
  ])
  for (const one of [first, second, ...elsewhere.computers])
    expect(await state.openWork(one)).toMatchObject([{ package_id: software.id, kind: 'Uninstall' }])
  for (const one of [bystander, lacking]) expect(await state.openWork(one)).toEqual([])
  expect(await commandsOf(group, software)).toEqual(['Uninstall'])
  expect(await commandsOf(lackingGroup, software)).not.toContain('Uninstall')
})

test('uninstalling from a selection cancels waiting work of the package and does not repeat what is pending', async () => {
  const { group, software, computers } = await groupWith(1)
  await state.options(group, software, ['Reinstall'])
  await installer.call(installOnComputers, { body: bodyOf(computers, software) })

  await uninstall(computers, software)
  const { body } = await uninstall(computers, software)

  expect(await state.openWork(computers[0] as Computer)).toMatchObject([{ kind: 'Uninstall' }])
  expect(body).toMatchObject({ computersWithWork: 0, alreadyPending: 1, trackingId: null })
})

test('the cancellation of an uninstallation brings the option Install back and cancels what no agent has begun', async () => {
  const { group, software, computers } = await groupWith(2)
  const [begun, waiting] = computers as [Computer, Computer]
  await uninstall(computers, software)
  const [item] = await state.openWork(begun)
  await state.lease(item?.id ?? 0)

  const { body } = await operator.call(cancelUninstallOnComputers, { body: bodyOf([waiting], software) })

  expect(body).toEqual({ packageId: software.id, groupIds: [group.id], cancelledWork: 1 })
  expect(await commandsOf(group, software)).toEqual(['Install'])
  expect(await state.openWork(waiting)).toEqual([])
  expect(await state.openWork(begun)).toMatchObject([{ kind: 'Uninstall', state: 'Leased' }])
})

test('a package without a command that uninstalls it stays on a selection, and a dry run changes nothing', async () => {
  const stuck = await released({ manifest: JSON.stringify({ commands: { install: { argv: ['sh', 'install.sh'] } } }) })
  const { computers } = await groupWith(1, stuck)
  const removable = await groupWith(1)
  const before = await fingerprints(db)

  expect(await uninstall(computers, stuck)).toMatchObject({ status: 409, problem: 'NoUninstallCommand' })
  expect((await uninstall(removable.computers, removable.software, { dryRun: true })).status).toBe(200)
  expect((await install([await given.computer()], stuck, { dryRun: true })).status).toBe(200)
  expect(await uninstall(removable.computers, removable.software, { expectedCount: 2 })).toMatchObject({
    status: 409,
    problem: 'UnexpectedCount',
  })
  expect((await fingerprints(db)).work).toEqual(before.work)
})

test('an uninstallation above the quota waits for a second administrator, who sees its groups, and is then made as requested', async () => {
  const { group, software, computers } = await groupWith(3)
  const requester = await principal('activation.execute')
  await setQuota(2)
  const request = { body: bodyOf(computers.slice(0, 1), software) }

  const refused = await requester.call(uninstallOnComputers, request)
  const { approvalId, computerCount } = refused.raw as Refusal
  const before = await state.openWork(computers[0] as Computer)
  const approved = await approve(approvalId)

  expect(refused).toMatchObject({ status: 409, problem: 'ApprovalRequired' })
  expect(computerCount).toBe(3)
  expect(before).toEqual([])
  expect(approved.body).toMatchObject({ state: 'Executed', answerStatus: 200 })
  expect(approved.body.subjects).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'Group', id: group.id, name: group.path })]),
  )
  expect(await state.openWork(computers[0] as Computer)).toMatchObject([{ kind: 'Uninstall' }])
})

test('an approved installation that replaces software fails if its principal has lost one of the roles that it needs', async () => {
  const { software: old, computers } = await groupWith(1)
  const { package_name: superseded_name } = await db
    .selectFrom('packages')
    .select('package_name')
    .where('id', '=', old.id)
    .executeTakeFirstOrThrow()
  const next = await released()
  await db
    .insertInto('package_supersedes')
    .values({ package_id: next.id, superseded_name: superseded_name ?? '', uninstalls_first: true })
    .execute()
  const requester = await principal('activation.execute', 'group.write')
  await setQuota(0)
  const refused = await requester.call(installOnComputers, { body: bodyOf(computers, next) })

  await as('admin.manage').call(updateLocalPrincipal, {
    params: { id: requester.id },
    body: { description: null, roles: ['activation.execute'], expiresAtUtc: null },
  })
  const approved = await approve((refused.raw as Refusal).approvalId)

  expect(refused).toMatchObject({ status: 409, problem: 'ApprovalRequired' })
  expect(approved.body).toMatchObject({ state: 'Failed', problemCode: 'Forbidden' })
  expect(await state.openWork(computers[0] as Computer)).toEqual([])
})
