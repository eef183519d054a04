import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { addUpTaskChanges } from '../../src/features/deployments/jobs/add-up-task-changes.ts'
import { purgeTasks } from '../../src/features/deployments/jobs/purge-tasks.ts'
import { maxPoints } from '../../src/features/deployments/time-line/read-time-line.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { agent, as, db, given, letTimePass, readyPackage, work } = await openAgentWorld()
const world = deploymentsIn(db, given)

const taskOf = async (trackingId: string) =>
  (await as('computer.read').call(getTask, { params: { trackingId }, query: { include: 'timeLine' } })).body

async function timeLineOf(trackingId: string) {
  const { timeLine } = await taskOf(trackingId)
  if (!timeLine) throw new Error('The answer has no time line.')
  return timeLine
}

const failure = (attempt: number, exitCode: number, output: string) => ({
  attempt,
  status: 'Failed' as const,
  exitCode,
  output,
})

/** Tasks whose sums differ from a count of their work. */
async function listWrongCounts() {
  const { rows } = await sql`
    with change as (select task_id, minute, due, leased, success, failed, cancelled from task_counts union all select task_id, minute, due, leased, success, failed, cancelled from task_count_changes),
      summed as (
        select task_id, sum(due) as due, sum(leased) as leased, sum(success) as success, sum(failed) as failed,
          sum(cancelled) as cancelled
        from change group by 1),
      counted as (
        select task_id, count(*) filter (where state = 'Due') as due, count(*) filter (where state = 'Leased') as leased,
          count(*) filter (where state = 'Success') as success, count(*) filter (where state = 'Failed') as failed,
          count(*) filter (where state = 'Cancelled') as cancelled
        from work group by 1)
    select tasks.id, to_jsonb(summed) as summed, to_jsonb(counted) as counted
    from tasks left join summed on summed.task_id = tasks.id left join counted on counted.task_id = tasks.id
    where (coalesce(summed.due, 0), coalesce(summed.leased, 0), coalesce(summed.success, 0), coalesce(summed.failed, 0),
        coalesce(summed.cancelled, 0))
      <> (coalesce(counted.due, 0), coalesce(counted.leased, 0), coalesce(counted.success, 0), coalesce(counted.failed, 0),
        coalesce(counted.cancelled, 0))`.execute(db)
  return rows
}

test('the answer of a task has a time line only if it is asked for', async () => {
  const { id } = await world.task()

  const { body } = await as('computer.read').call(getTask, { params: { trackingId: id } })

  expect(body).not.toHaveProperty('timeLine')
  expect(await timeLineOf(id)).toEqual({ intervalMinutes: 1, points: [], failureGroups: [] })
})

test('a time line follows the work through all states, before and after it was added up', async () => {
  const { id: task_id } = await world.task()
  const [first, second] = [await agent(), await agent()]
  const [one, two] = [await readyPackage(), await readyPackage()]
  const workId = await work(first, one, { task_id })
  await work(second, two, { task_id })
  const last = async () => (await timeLineOf(task_id)).points.at(-1)
  const waiting = await last()
  await addUpTaskChanges(db)
  await first.contact()
  const leased = await last()
  await first.report(workId)

  const recent = await taskOf(task_id)
  await addUpTaskChanges(db)
  const addedUp = await taskOf(task_id)

  expect(waiting).toMatchObject({ due: 2, leased: 0, succeeded: 0 })
  expect(leased).toMatchObject({ due: 1, leased: 1, succeeded: 0 })
  expect(recent).toMatchObject({ total: 2, open: 1, succeeded: 1, actions: { totalCount: 2 } })
  expect(recent.timeLine?.points.at(-1)).toMatchObject({ due: 1, leased: 0, succeeded: 1, failed: 0, cancelled: 0 })
  expect(addedUp).toEqual(recent)
  expect(await listWrongCounts()).toEqual([])
})

test('counts stay exact when computers and packages are deleted with their work', async () => {
  const { id: task_id } = await world.task()
  const [gone, kept] = [await given.computer(), await given.computer()]
  const [removed, one] = [await given.package(), await given.package()]
  await world.work(gone, one, { task_id, state: 'Failed' })
  await world.work(kept, removed, { task_id, state: 'Leased' })
  await world.work(kept, one, { task_id, state: 'Cancelled' })

  await db.deleteFrom('computers').where('id', '=', gone.id).execute()
  await db.deleteFrom('packages').where('id', '=', removed.id).execute()

  expect(await taskOf(task_id)).toMatchObject({ total: 1, open: 0, failed: 0, cancelled: 1 })
  expect(await listWrongCounts()).toEqual([])
})

test('one update of many work items counts each of them', async () => {
  const { id: task_id } = await world.task()
  const one = await given.package()
  for (const state of ['Due', 'Due', 'Leased']) await world.work(await given.computer(), one, { task_id, state })

  await sql`update work set state = 'Cancelled', closed_at = now() where task_id = ${task_id}`.execute(db)

  expect((await timeLineOf(task_id)).points.at(-1)).toMatchObject({ due: 0, leased: 0, cancelled: 3 })
})

test('a time line has one point for each minute, and longer intervals for a long task', async () => {
  const [minutes, days] = [(await world.task()).id, (await world.task()).id]
  const one = await given.package()
  const began = Date.parse('2026-03-01T10:00:30Z')
  const after = async (task_id: string, closedAfterMinutes: number) =>
    world.work(await given.computer(), one, {
      task_id,
      state: 'Success',
      created_at: new Date(began),
      closed_at: new Date(began + closedAfterMinutes * 60_000),
    })
  for (const offset of [1, 1, 3]) await after(minutes, offset)
  for (const offset of [0, 600, 9 * 1_440]) await after(days, offset)

  const [short, long] = [await timeLineOf(minutes), await timeLineOf(days)]

  expect(short.intervalMinutes).toBe(1)
  expect(short.points.map(({ fromUtc, due, succeeded }) => [fromUtc, due, succeeded])).toEqual([
    ['2026-03-01T10:00:00.000Z', 3, 0],
    ['2026-03-01T10:01:00.000Z', 1, 2],
    ['2026-03-01T10:02:00.000Z', 1, 2],
    ['2026-03-01T10:03:00.000Z', 0, 3],
  ])
  expect(long.intervalMinutes).toBe(60)
  expect(long.points.length).toBeLessThanOrEqual(maxPoints)
  expect(long.points.at(-1)).toMatchObject({ due: 0, succeeded: 3 })
})

test('failures are grouped by exit code and cause, whatever numbers and paths their outputs contain', async () => {
  const { id: task_id } = await world.task()
  const software = await readyPackage()
  const [first, second, third] = [await agent(), await agent(), await agent()]
  for (const [computer, exitCode, output] of [
    [first, 28, 'Unpacking\nE: no space left on /dev/sda1 (needs 4711 MB)'],
    [second, 28, 'E: no space left on /dev/nvme0n1p2 (needs 12 MB)\n'],
    [third, 1, 'E: no space left on /dev/sda1 (needs 5 MB)'],
  ] as const) {
    const workId = await work(computer, software, { task_id })
    await computer.contact()
    await computer.report(workId, failure(1, exitCode, output))
  }

  const recent = await timeLineOf(task_id)
  await addUpTaskChanges(db)
  const addedUp = await timeLineOf(task_id)

  expect(recent.failureGroups.map(({ exitCode, failures, failed }) => [exitCode, failures, failed])).toEqual([
    [28, 2, 0],
    [1, 1, 0],
  ])
  expect(new Set(recent.failureGroups.map(({ cause }) => cause)).size).toBe(1)
  expect(recent.failureGroups[0]?.example).toMatchObject({
    clientId: second.id,
    hostname: expect.any(String),
    output: 'E: no space left on /dev/nvme0n1p2 (needs 12 MB)\n',
  })
  expect(addedUp.failureGroups).toEqual(recent.failureGroups)
})

test('permanent failures of all groups add up to the failed work, with dependents and late reports', async () => {
  const { id: task_id } = await world.task()
  const computer = await agent()
  const base = await readyPackage({ package_name: 'base of the time line' })
  const workId = await work(computer, base, { task_id })
  await work(computer, await readyPackage({ requires: ['base of the time line'] }), { task_id })
  const lost = { state: 'Leased', leased_until: new Date(0), attempt: 10 }
  const abandoned = await work(computer, await readyPackage(), { task_id, run_id: computer.runId, ...lost })
  for (const attempt of [1, 2, 3]) {
    await letTimePass(workId)
    await computer.contact()
    await computer.report(workId, failure(attempt, 7, 'It does not work.'))
  }
  await computer.report(abandoned, failure(10, 9, 'It came to an end after all.'))
  await addUpTaskChanges(db)

  const { failed, timeLine } = await taskOf(task_id)

  expect(failed).toBe(3)
  expect(timeLine?.failureGroups.map(({ exitCode, failures, failed }) => [exitCode, failures, failed])).toEqual([
    [7, 3, 1],
    [9, 1, 0],
    [null, 1, 1],
    [null, 1, 1],
  ])
  expect(await listWrongCounts()).toEqual([])
})

test('concurrent nodes add every change up once, and the purge of a task leaves nothing of it', async () => {
  const { id: task_id } = await world.task({ created_at: new Date(0) })
  const past = { task_id, state: 'Failed', created_at: new Date(0), closed_at: new Date(0) }
  const computer = await given.computer()
  const { id } = await world.work(computer, await given.package(), past)
  await world.setupError(computer, await given.package(), { work_id: id })

  const addedUp = await Promise.all([addUpTaskChanges(db), addUpTaskChanges(db), addUpTaskChanges(db)])
  const before = await taskOf(task_id)
  await purgeTasks(db, 30)
  await addUpTaskChanges(db)

  expect(addedUp.filter((rows) => rows > 0)).toHaveLength(1)
  expect(before).toMatchObject({ total: 1, failed: 1 })
  for (const table of ['task_counts', 'task_count_changes', 'task_failures', 'task_failure_changes'] as const)
    expect(await db.selectFrom(table).selectAll().where('task_id', '=', task_id).execute()).toEqual([])
})
