import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { cancelSoftwareReinstall } from '../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { deadlocksDuring } from '../groups/deadlocks.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { as, db, given } = await openWorld()
const world = deploymentsIn(db, given)

type Computer = { id: number }

const reinstall = (computer: Computer, one: { id: string }) =>
  as('reinstall.execute').call(requestSoftwareReinstall, { params: { id: computer.id }, body: { packageId: one.id } })
const cancel = (computer: Computer, reinstallGroupId: string) =>
  as('reinstall.execute').call(cancelSoftwareReinstall, { params: { id: computer.id }, query: { reinstallGroupId } })

/** Counts reinstall groups without a reinstall, reinstalls without open work, and open reinstall work without a reinstall. */
async function countLeftovers(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from groups where kind = 'Reinstall' and not exists (
        select from reinstall_groups where group_id = groups.id))
      + (select count(*) from reinstall_groups r where not exists (
        select from work where reinstall_group_id = r.group_id and state in ('Due', 'Leased')))
      + (select count(*) from work w where reinstall_group_id is not null and state in ('Due', 'Leased') and not exists (
        select from reinstall_groups where group_id = w.reinstall_group_id)) as count`.execute(db)
  return rows[0]?.count ?? -1
}

test('one of twenty concurrent requests creates the reinstall, and the others are refused', async () => {
  const one = await given.package()
  const { computer } = await world.assigned(one)

  const results = await Promise.all(Array.from({ length: 20 }, () => reinstall(computer, one)))

  const outcomes = results.map(({ status, problem }) => (status === 200 ? 'created' : problem)).sort()
  expect(outcomes).toEqual([...Array(19).fill('ReinstallAlreadyPending'), 'created'])
  expect(await world.workOf(computer)).toHaveLength(1)
  expect(await countLeftovers()).toBe(0)
})

test('concurrent cancellations cancel a reinstall once', async () => {
  const one = await given.package()
  const { computer } = await world.assigned(one)
  const { reinstallGroupId } = (await reinstall(computer, one)).body

  const results = await Promise.all(Array.from({ length: 10 }, () => cancel(computer, reinstallGroupId)))

  expect(results.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
  expect(await world.eventsOf(computer)).toEqual(['Pending Request Reinstall', 'Cancelled Cancellation Reinstall'])
})

test('a reinstall and the deletion of its group run without a deadlock', async () => {
  const one = await given.package()

  const deadlocks = await deadlocksDuring(async () => {
    for (let round = 0; round < 8; round++) {
      const { group, computer } = await world.assigned(one)
      const [requested, deleted] = await Promise.all([
        reinstall(computer, one),
        as('group.write').call(deleteGroup, { params: { id: group.id }, query: { force: true } }),
      ])
      expect(deleted.status).toBe(204)
      expect([200, 409]).toContain(requested.status)
    }
  })

  expect(deadlocks).toBe(0)
  expect(await countLeftovers()).toBe(0)
})

test('a cancellation and the deletion of the group above run without a deadlock', async () => {
  const one = await given.package()

  const deadlocks = await deadlocksDuring(async () => {
    for (let round = 0; round < 8; round++) {
      const { group, computer } = await world.assigned(one)
      const { reinstallGroupId } = (await reinstall(computer, one)).body
      const [cancelled, deleted] = await Promise.all([
        cancel(computer, reinstallGroupId),
        as('group.write').call(deleteGroup, { params: { id: group.id }, query: { force: true } }),
      ])
      expect(deleted.status).toBe(204)
      expect([200, 404]).toContain(cancelled.status)
    }
  })

  expect(deadlocks).toBe(0)
  expect(await countLeftovers()).toBe(0)
})

test('a reinstall and the deletion of its computer run without a deadlock', async () => {
  const one = await given.package()

  const deadlocks = await deadlocksDuring(async () => {
    for (let round = 0; round < 8; round++) {
      const { computer } = await world.assigned(one)
      const [requested, deleted] = await Promise.all([
        reinstall(computer, one),
        as('computer.write').call(deleteComputer, { params: { id: computer.id }, query: { force: true } }),
      ])
      expect(deleted.status).toBe(204)
      expect([200, 404]).toContain(requested.status)
    }
  })

  expect(deadlocks).toBe(0)
  expect(await countLeftovers()).toBe(0)
})

test('a reinstall cancels work that a concurrent activation creates', async () => {
  const one = await given.package()
  const { computer } = await world.assigned(one)
  const { id: task_id } = await world.task()
  let requested: ReturnType<typeof reinstall> | undefined

  await db.transaction().execute(async (activation) => {
    await deploymentsIn(activation, given).work(computer, one, { task_id })
    requested = reinstall(computer, one)
    const isWaiting = sql<{ waits: boolean }>`
      select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`
    while (!(await isWaiting.execute(db)).rows[0]?.waits);
  })

  expect((await requested)?.status).toBe(200)
  expect((await world.workOf(computer)).map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
    'Install Cancelled',
    'Reinstall Due',
  ])
  expect(await countLeftovers()).toBe(0)
})
