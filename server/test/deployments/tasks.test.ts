import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { uninstallSoftware } from '../../src/features/deployments/api/activation/uninstall-software.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { rescanComputer } from '../../src/features/deployments/api/requests/rescan-computer.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { addUpTaskChanges } from '../../src/features/deployments/jobs/add-up-task-changes.ts'
import { purgeTasks } from '../../src/features/deployments/jobs/purge-tasks.ts'
import { countWorkOfTasks } from '../../src/features/deployments/time-line/work-counts.ts'
import { workChanges } from '../../src/features/fleet-history/work-changes.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { as, db, given } = await openWorld()
const world = deploymentsIn(db, given)
const reader = as('computer.read')

const tasks = async (query = {}) => (await reader.call(listTasks, { query })).body
const idsOf = async (query = {}) => (await tasks(query)).items.map(({ trackingId }) => trackingId)
const taskOf = async (trackingId: string, query = {}) =>
  (await reader.call(getTask, { params: { trackingId }, query })).body

const running = 1
const finished = 2
const failed = 3

/** A task with one work item for each of the states, each on a computer of its own. */
async function taskWith(states: readonly string[], closed_at = new Date()) {
  const { id } = await world.task({ created_at: closed_at })
  const one = await given.package()
  for (const state of states) {
    const isOpen = state === 'Due' || state === 'Leased'
    await world.work(await given.computer(), one, { task_id: id, state, ...(!isOpen && { closed_at }) })
  }
  return id
}

test('a reinstall is a running task from the moment it is requested', async () => {
  const one = await given.package()
  const { group, computer } = await world.assigned(one)
  const params = { id: computer.id }
  await as('reinstall.execute').call(requestSoftwareReinstall, { params, body: { packageId: one.id } })

  const { items, totalCount } = await tasks({ clientId: computer.id })

  expect(totalCount).toBe(1)
  expect(items).toEqual([
    {
      trackingId: expect.any(String),
      type: 'Reinstall',
      status: running,
      clientId: computer.id,
      hostname: computer.name,
      groupId: group.id,
      groupPath: expect.stringContaining(group.name),
      packageId: one.id,
      packageName: one.name,
      createdAtUtc: expect.any(String),
      finishedAtUtc: null,
      createdBy: expect.any(String),
      rolloutId: null,
      rolloutName: null,
    },
  ])
})

test('work of a task that ends with its computer counts nowhere, even before its changes are purged', async () => {
  const one = await given.package()
  const { computer } = await world.assigned(one)
  const openWork = async () =>
    (
      await sql<{
        open: number
      }>`select coalesce(sum(due + leased), 0)::integer as open from ${workChanges} as change`.execute(db)
    ).rows[0]?.open
  const openBefore = await openWork()
  await as('reinstall.execute').call(requestSoftwareReinstall, {
    params: { id: computer.id },
    body: { packageId: one.id },
  })
  const [task = ''] = await idsOf({ clientId: computer.id })
  await addUpTaskChanges(db)
  const [openMeanwhile, counted] = [await openWork(), await countWorkOfTasks(db, [task])]

  await as('computer.write').call(deleteComputer, { params: { id: computer.id }, query: { force: true } })

  expect(openMeanwhile).toBe((openBefore ?? 0) + 1)
  expect(counted.get(task)).toMatchObject({ due: 1 })
  expect(await openWork()).toBe(openBefore)
  // A list that has read the task just before its deletion.
  expect(await countWorkOfTasks(db, [task])).toEqual(new Map())
})

test('every request for a computer names the task that follows from it', async () => {
  const [one, scan] = [await given.package(), await given.package({ kind: 'InventoryScan' })]
  const { computer } = await world.assigned(one, scan)
  await world.deployment(computer, one, { installation_state: 'Installed', result: 'Success' })
  const params = { id: computer.id }
  const body = { packageId: one.id }
  const rescan = () => as('scan.execute').call(rescanComputer, { params, body: { scanType: 'Inventory' } })

  const requests = [
    ['Reboot', await as('reboot.execute').call(rebootComputer, { params })],
    ['Reboot', await as('reboot.execute').call(rebootComputer, { params })],
    ['Rescan', await rescan()],
    ['Rescan', await rescan()],
    ['Reinstall', await as('reinstall.execute').call(requestSoftwareReinstall, { params, body })],
    ['Uninstall', await as('activation.execute').call(uninstallSoftware, { params, body })],
  ] as const

  for (const [type, { body }] of requests)
    expect(await taskOf(body.trackingId ?? ''), type).toMatchObject({ type, clientId: computer.id })
  expect(new Set(requests.map(([, { body }]) => body.trackingId)).size).toBe(4)
})

describe('a task', () => {
  test.each([
    [[], finished],
    [['Due'], running],
    [['Leased'], running],
    [['Success'], finished],
    [['Cancelled'], finished],
    [['Failed'], failed],
    [['Success', 'Failed', 'Cancelled'], failed],
    [['Failed', 'Due'], running],
    [['Success', 'Leased', 'Failed'], running],
    [['Success', 'Cancelled'], finished],
  ])('a task with work in the states %j has the status %i', async (states, status) => {
    const id = await taskWith(states)

    const task = await taskOf(id)

    expect(task.status).toBe(status)
    expect(task.finishedAtUtc === null).toBe(status === running)
    expect((await tasks({ status, top: 1000 })).items).toContainEqual(
      expect.objectContaining({ trackingId: id, status }),
    )
    for (const other of [running, finished, failed].filter((one) => one !== status))
      expect(await idsOf({ status: other, top: 1000 })).not.toContain(id)
  })
})

test('a task finishes with its last work item', async () => {
  const { id } = await world.task({ created_at: new Date('2026-03-01T10:00:00Z') })
  const one = await given.package()
  for (const closed_at of ['2026-03-01T10:05:00Z', '2026-03-01T10:09:00Z', '2026-03-01T10:07:00Z'])
    await world.work(await given.computer(), one, { task_id: id, state: 'Success', closed_at })

  expect((await taskOf(id)).finishedAtUtc).toBe('2026-03-01T10:09:00.000Z')
})

test('tasks are listed by the time of their creation, whatever their ids are, over all pages', async () => {
  const computer_id = (await given.computer()).id
  const made: string[] = []
  for (const minutes of [2, 3, 1, 1]) {
    const created_at = new Date(Date.now() - minutes * 60_000 - 86_400_000)
    made.push((await world.task({ computer_id, created_at })).id)
  }
  const [second, third, ...newest] = made

  const all = await tasks({ clientId: computer_id })
  const first = await reader.call(listTasks, { query: { clientId: computer_id, top: 2 } })
  const cursor = /cursor=([\w-]+)/.exec(first.headers.link ?? '')?.[1] ?? ''
  const rest = await reader.call(listTasks, { query: { clientId: computer_id, top: 2, cursor } })

  expect(all.items.map(({ trackingId }) => trackingId)).toEqual([...newest.toSorted().reverse(), second, third])
  expect([...first.body.items, ...rest.body.items]).toEqual(all.items)
})

test('tasks are listed newest first, and can be filtered by the computer or package of their work', async () => {
  const [one, computer] = [await given.package(), await given.computer()]
  const own = (await world.task({ kind: 'Reboot', computer_id: computer.id })).id
  const ofGroup = (await world.work(computer, one)).task_id
  const named = (await world.task({ package_id: one.id })).id
  await taskWith(['Due'])

  expect(await idsOf({ clientId: computer.id })).toEqual([ofGroup, own])
  expect(await idsOf({ packageId: one.id })).toEqual([named, ofGroup])
  expect(await idsOf({ packageId: one.id, clientId: computer.id })).toEqual([ofGroup])
  expect(await idsOf({ clientId: 999_999 })).toEqual([])
  const all = await idsOf({ top: 1000 })
  expect(all.filter((id) => [named, ofGroup, own].includes(id))).toEqual([named, ofGroup, own])
})

test('a task has counts and paged actions', async () => {
  const one = await given.package()
  const { id } = await world.task()
  const computers = [await given.computer(), await given.computer(), await given.computer()]
  const [first, second, third] = computers as [Computer, Computer, Computer]
  await world.work(first, one, { task_id: id, state: 'Success', attempt: 2 })
  const { id: workId } = await world.work(second, one, { task_id: id, state: 'Failed', kind: 'Update' })
  await world.deployment(second, one, { result: 'Failed', failed_at: new Date(0), error_text: 'It ended with 1603.' })
  await world.work(third, null, { task_id: id, kind: 'Refresh' })
  await world.work(third, one, { task_id: id, state: 'Cancelled' })

  const { actions, ...task } = await taskOf(id, { skip: 1, top: 2 })

  expect(task).toMatchObject({ total: 4, open: 1, succeeded: 1, failed: 1, cancelled: 1 })
  expect(actions).toMatchObject({ totalCount: 4, skip: 1, top: 2, hasMore: true })
  expect(actions.items).toEqual([
    {
      workId,
      clientId: second.id,
      hostname: second.name,
      packageId: one.id,
      packageName: one.name,
      kind: 'Update',
      state: 'Failed',
      attempt: 0,
      createdAtUtc: expect.any(String),
      closedAtUtc: expect.any(String),
      connectedNow: false,
      nextContactUtc: null,
      errorText: 'It ended with 1603.',
      cancelReason: null,
      cancelSubject: null,
    },
    expect.objectContaining({
      clientId: third.id,
      packageId: null,
      packageName: null,
      kind: 'Refresh',
      errorText: null,
    }),
  ])
})

type Computer = Awaited<ReturnType<typeof given.computer>>

test('an action shows the log of its own attempt if a later failure has replaced its error', async () => {
  const [one, computer] = [await given.package(), await given.computer()]
  const { id, task_id } = await world.work(computer, one, { state: 'Failed', closed_at: new Date(0) })
  await world.setupError(computer, one, { work_id: id, output: 'disk full' })
  await world.deployment(computer, one, { result: 'Failed', failed_at: new Date(), error_text: 'something newer' })

  expect((await taskOf(task_id)).actions.items).toMatchObject([{ errorText: 'disk full' }])
})

test('an unknown task answers 404, and an unknown status 400', async () => {
  const missing = await reader.call(getTask, { params: { trackingId: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' } })
  const wrong = await reader.send({ method: 'GET', url: '/api/tasks?status=4' })

  expect(missing).toMatchObject({ status: 404, problem: 'TaskNotFound' })
  expect(wrong).toMatchObject({ status: 400, problem: 'InvalidRequest' })
})

describe('the purge', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

  test('the purge deletes tasks that ended before the retention period, and keeps the others', async () => {
    const old = [await taskWith(['Success'], daysAgo(31)), await taskWith(['Failed', 'Cancelled'], daysAgo(40))]
    const empty = await taskWith([], daysAgo(31))
    const open = await taskWith(['Success', 'Due'], daysAgo(31))
    const young = await taskWith(['Success'], daysAgo(29))
    const late = await taskWith(['Success'], daysAgo(40))
    await world.work(await given.computer(), await given.package(), {
      task_id: late,
      state: 'Success',
      closed_at: daysAgo(1),
    })

    await purgeTasks(db, 30)

    const left = await idsOf({ top: 1000 })
    for (const id of [...old, empty]) expect(left).not.toContain(id)
    for (const id of [open, young, late]) expect(left).toContain(id)
    expect((await taskOf(late)).total).toBe(2)
  })

  test('the purge deletes all old tasks, and concurrent purges delete each task once', async () => {
    await purgeTasks(db, 30)
    await db
      .insertInto('tasks')
      .values(Array.from({ length: 250 }, () => ({ kind: 'Activation', created_at: daysAgo(31) })))
      .execute()

    const purged = await Promise.all([purgeTasks(db, 30), purgeTasks(db, 30), purgeTasks(db, 30)])

    expect(purged.reduce((sum, one) => sum + one)).toBe(250)
    expect(await purgeTasks(db, 30)).toBe(0)
  })
})
