import { describe, expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { listComputerGroups } from '../../src/features/computers/api/list-computer-groups.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { cancelSoftwareReinstall } from '../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { listSoftwareReinstalls } from '../../src/features/deployments/api/requests/list-software-reinstalls.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { updateGroup } from '../../src/features/groups/api/update-group.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { fingerprints } from '../world/tables.ts'
import { deploymentsIn } from './deployment-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()
const world = deploymentsIn(db, given)

const unknown = '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'

type Computer = { id: number }

const reinstall = (computer: Computer, one: { id: string }) =>
  as('reinstall.execute').call(requestSoftwareReinstall, { params: { id: computer.id }, body: { packageId: one.id } })
const cancel = (computer: Computer, reinstallGroupId: string) =>
  as('reinstall.execute').call(cancelSoftwareReinstall, { params: { id: computer.id }, query: { reinstallGroupId } })
const pendingOn = async (computer: Computer, query = {}) =>
  (await as('computer.read').call(listSoftwareReinstalls, { params: { id: computer.id }, query })).body.items
const groupOf = (id: string) => as('group.read').call(getGroup, { params: { id } })
const statusOf = async (computer: Computer) => {
  const { body } = await as('computer.read').call(listSoftwareDeployments, { params: { id: computer.id } })
  return body.map(({ status, installationState }) => `${status} ${installationState}`).join()
}

test('the reinstall of an inherited package is pending below the group with the assignment', async () => {
  const [above, one, computer] = [await given.group(), await given.package(), await given.computer()]
  await given.member(await given.group({ parent: above }), computer)
  await given.assignment(above, one, 'package')

  const { body } = await reinstall(computer, one)

  expect(body).toMatchObject({
    parentGroupId: above.id,
    parentGroupName: above.name,
    softwareId: one.id,
    softwareName: one.name,
    requestedAtUtc: expect.any(String),
  })
  expect(await pendingOn(computer)).toEqual([body])
  expect((await groupOf(body.reinstallGroupId)).body).toMatchObject({ parentId: above.id, assignedToTree: above.tree })
  expect(await statusOf(computer)).toBe('Pending None')
  expect(await world.eventsOf(computer)).toEqual(['Pending Request Reinstall'])
})

test('the work of a reinstall is forced, ignores the schedule, and belongs to a task of its own', async () => {
  const one = await given.package()
  const { group, computer } = await world.assigned(one)
  await db
    .insertInto('distribution_options')
    .values({ group_id: group.id, dist_commands: 1, schedule: 'CRON=0 22 * * SAT;DURATION=180' })
    .execute()

  await reinstall(computer, one)

  const [work] = await world.workOf(computer)
  expect(work).toMatchObject({ kind: 'Reinstall', state: 'Due', package_id: one.id, commands: 24, schedule: '' })
  const task = await as('computer.read').call(getTask, { params: { trackingId: work?.task_id ?? '' } })
  expect(task.body).toMatchObject({
    type: 'Reinstall',
    clientId: computer.id,
    groupId: group.id,
    packageId: one.id,
    total: 1,
  })
})

test('a package of a software class is reinstalled below the group to which the class is assigned', async () => {
  const one = await given.package()
  const { group, computer } = await world.assigned()
  await given.assignment(group, await given.softwareClass({ packages: [one] }), 'softwareClass')

  const { body } = await reinstall(computer, one)

  expect(body.parentGroupId).toBe(group.id)
})

test('a reinstall is pending below the group with the nearest assignment', async () => {
  const one = await given.package()
  const { group, computer } = await world.assigned(one)
  const near = await given.group({ parent: group })
  await given.assignment(near, one, 'package')
  const member = await given.computer()
  await given.member(near, member)

  expect((await reinstall(member, one)).body.parentGroupId).toBe(near.id)
  expect((await reinstall(computer, one)).body.parentGroupId).toBe(group.id)
})

test.each(['Due', 'Leased'])(
  'a reinstall cancels other work of the package that is %s, with an event',
  async (state) => {
    const [one, other] = [await given.package(), await given.package()]
    const { computer } = await world.assigned(one, other)
    await world.work(computer, one, { kind: 'Update', state })
    await world.work(computer, other)

    await reinstall(computer, one)

    const work = await world.workOf(computer)
    expect(work.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'Update Cancelled',
      'Install Due',
      'Reinstall Due',
    ])
    expect(await world.eventsOf(computer)).toEqual(['Cancelled Cancellation Update', 'Pending Request Reinstall'])
  },
)

test('the group of a pending reinstall is not listed for the computer and cannot be changed or deleted', async () => {
  const one = await given.package()
  const { group, computer } = await world.assigned(one)
  const { reinstallGroupId: id } = (await reinstall(computer, one)).body
  const writer = as('group.write')

  const changes = [
    await writer.call(updateGroup, { params: { id }, body: { name: 'Mine' } }),
    await writer.call(deleteGroup, { params: { id }, query: { force: true } }),
  ]

  for (const refused of changes) expect(refused).toMatchObject({ status: 409, problem: 'SpecialGroup' })
  const { body } = await as('computer.read').call(listComputerGroups, { params: { id: computer.id } })
  expect(body.items.map(({ groupId }) => groupId)).toEqual([group.id])
})

test('cancelling a reinstall deletes its group and restores the previous status', async () => {
  const one = await given.package()
  const { computer } = await world.assigned(one)
  await world.deployment(computer, one, { result: 'Success', installation_state: 'Installed' })
  const { reinstallGroupId, parentGroupId, parentGroupName } = (await reinstall(computer, one)).body
  const during = await statusOf(computer)

  const cancelled = await cancel(computer, reinstallGroupId)

  expect(during).toBe('Pending Installed')
  expect(cancelled).toMatchObject({ status: 200, raw: { reinstallGroupId, parentGroupId, parentGroupName } })
  expect(await pendingOn(computer)).toEqual([])
  expect((await groupOf(reinstallGroupId)).status).toBe(404)
  expect(await statusOf(computer)).toBe('Success Installed')
  expect(await world.workOf(computer)).toMatchObject([{ state: 'Cancelled' }])
  expect(await world.eventsOf(computer)).toEqual(['Pending Request Reinstall', 'Cancelled Cancellation Reinstall'])
  expect((await reinstall(computer, one)).status).toBe(200)
})

test('a reinstall that the agent has begun can be cancelled', async () => {
  const [computer, group, one] = [await agent(), await given.group(), await readyPackage()]
  await given.member(group, computer)
  await given.assignment(group, one, 'package')
  const { reinstallGroupId } = (await reinstall(computer, one)).body
  const [item] = (await computer.contact()).body.work
  await computer.start(item?.workId ?? 0)

  await cancel(computer, reinstallGroupId)

  expect(await world.workOf(computer)).toMatchObject([{ state: 'Cancelled' }])
})

test('pending reinstalls are paged and can be filtered by package', async () => {
  const [one, other] = [await given.package(), await given.package()]
  const { computer } = await world.assigned(one, other)
  for (const each of [one, other]) await reinstall(computer, each)

  expect((await pendingOn(computer)).map(({ softwareId }) => softwareId)).toEqual([one.id, other.id])
  expect((await pendingOn(computer, { skip: 1 })).map(({ softwareId }) => softwareId)).toEqual([other.id])
  expect((await pendingOn(computer, { packageId: one.id })).map(({ softwareId }) => softwareId)).toEqual([one.id])
  expect(await pendingOn(computer, { packageId: unknown })).toEqual([])
})

test('deleting the group of the assignment cancels its pending reinstalls', async () => {
  const one = await given.package()
  const { group, computer } = await world.assigned(one)
  const { reinstallGroupId } = (await reinstall(computer, one)).body

  await as('group.write').call(deleteGroup, { params: { id: group.id }, query: { force: true } })

  expect(await pendingOn(computer)).toEqual([])
  expect((await groupOf(reinstallGroupId)).status).toBe(404)
  expect(await world.workOf(computer)).toMatchObject([{ state: 'Cancelled' }])
  expect(await world.eventsOf(computer)).toEqual(['Pending Request Reinstall', 'Cancelled Cancellation Reinstall'])
})

test('deleting a computer deletes its pending reinstalls and keeps those of others', async () => {
  const one = await given.package()
  const { group, computer } = await world.assigned(one)
  const other = await given.computer()
  await given.member(group, other)
  const [{ reinstallGroupId }, kept] = [(await reinstall(computer, one)).body, (await reinstall(other, one)).body]

  const deleted = await as('computer.write').call(deleteComputer, {
    params: { id: computer.id },
    query: { force: true },
  })

  expect(deleted.status).toBe(204)
  expect((await groupOf(reinstallGroupId)).status).toBe(404)
  expect(await pendingOn(other)).toEqual([kept])
})

describe('refused requests', () => {
  test('requests with an unknown computer or package are refused', async () => {
    const one = await given.package()
    const { computer } = await world.assigned(one)
    const before = await fingerprints(db)

    const results = [
      await reinstall({ id: 999_999 }, one),
      await reinstall(computer, { id: unknown }),
      await cancel({ id: 999_999 }, unknown),
      await as('computer.read').call(listSoftwareReinstalls, { params: { id: 999_999 } }),
    ]

    expect(results.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      '404 ComputerNotFound',
      '404 PackageNotFound',
      '404 ComputerNotFound',
      '404 ComputerNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test('the reinstall of a package that is not assigned to the computer is refused', async () => {
    const one = await given.package()
    const { computer } = await world.assigned()
    await world.assigned(one)
    const before = await fingerprints(db)

    const refused = await reinstall(computer, one)

    expect(refused).toMatchObject({
      status: 409,
      problem: 'PackageNotAssigned',
      raw: { clientId: computer.id, packageId: one.id },
    })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('a second reinstall of the package is refused', async () => {
    const one = await given.package()
    const { computer } = await world.assigned(one)
    await reinstall(computer, one)
    const before = await fingerprints(db)

    const refused = await reinstall(computer, one)

    expect(refused).toMatchObject({ status: 409, problem: 'ReinstallAlreadyPending' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('cancelling is refused for a missing, unknown, foreign or ordinary group', async () => {
    const one = await given.package()
    const { group, computer } = await world.assigned(one)
    const other = await given.computer()
    const { reinstallGroupId } = (await reinstall(computer, one)).body
    const before = await fingerprints(db)

    const results = [
      await as('reinstall.execute').call(cancelSoftwareReinstall, { params: { id: computer.id } }),
      await cancel(computer, unknown),
      await cancel(other, reinstallGroupId),
      await cancel(computer, group.id),
    ]

    expect(results.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      '400 InvalidRequest',
      '404 ReinstallGroupNotFound',
      '404 ReinstallGroupNotFound',
      '404 ReinstallGroupNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })
})
