import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setFreeze } from '../../src/features/blast-radius/api/set-freeze.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { purgeTasks } from '../../src/features/deployments/jobs/purge-tasks.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { openWorld, type World } from '../world/open-world.ts'
import { openSlicedWorld, threeComputers, threeInstalls } from './sliced-world.ts'

const world = await openSlicedWorld()
const { activate, allSlices, as, db, fleet, given, kindsOf, operator, slice, state, taskOf } = world

test('the answer to a large activation and all that it writes are the same as those of a small one', async () => {
  const userDeadline = {
    ...{ afterHours: 8, latestUtc: null, maxPostponements: 2, quietHours: null },
    ...{ closePrograms: [], noticeMinutes: 15 },
  }
  const srl = { action: 'Shutdown' as const, userDeadline }
  const body = { software: true, pxe: true, pull: true, wolNow: true, srl }
  const written = async (one: World, makesSlices: boolean) => {
    const { group, computers, params } = await threeComputers(one)
    await one.given.assignment(group, await one.given.pxeBootImage({ name: 'boot' }), 'pxeBootImage')
    const answer = await one.as('activation.execute').call(activateGroup, { params, body })
    const isEmpty =
      (await sql`select from work where computer_id = any(${computers.map(({ id }) => id)})`.execute(one.db)).rows
        .length === 0
    expect(isEmpty).toBe(makesSlices)
    if (makesSlices) await allSlices()
    const { rows } = await sql`
      select c.position, work.kind, packages.name, work.power_action, work.timeout_minutes, work.user_deadline, deployments.status,
        (select count(*)::integer from distribution_events e
          where e.computer_id = work.computer_id and e.package_id = work.package_id and e.classification = 'Activation') as events,
        (select count(*)::integer from activations a where a.computer_id = work.computer_id and a.software and a.pxe and a.pull)
          as activations,
        (select array_agg(wake.wake_at = ${answer.body.wolUtc}::timestamptz) from wake_requests wake
          where wake.computer_id = work.computer_id) as woken
      from unnest(${computers.map(({ id }) => id)}::integer[]) with ordinality as c (id, position)
        join work on work.computer_id = c.id and work.task_id = ${answer.body.trackingId}::uuid
        left join packages on packages.id = work.package_id
        left join deployments on deployments.computer_id = work.computer_id and deployments.package_id = work.package_id
      order by 1, 2, 3`.execute(one.db)
    const { groupId, trackingId, wolUtc, ...counts } = answer.body
    return { counts, isWoken: wolUtc !== null, rows }
  }

  const [large, small] = [await written(world, true), await written(await openWorld(), false)]

  expect(large).toEqual(small)
  expect(large.counts).toMatchObject({ computerCount: 3, withoutMacAddress: 1, withoutPxeBootImage: 0 })
  expect(large.rows).toHaveLength(3 * (3 + 3))
  expect(large.rows).toContainEqual(expect.objectContaining({ kind: 'Power', user_deadline: userDeadline }))
})

test('a large activation cancels what is no longer due, and makes fix packages pending, as a small one does', async () => {
  const { group, first, params } = await fleet()
  const [obsolete, fix] = [await given.package(), await given.package({ kind: 'PatchFix' })]
  await given.assignment(group, obsolete, 'package')
  await activate({ params })
  await allSlices()
  expect(await kindsOf(first)).toEqual(['Install', ...threeInstalls])

  await given.assignment(group, fix, 'package')
  await operator.call(setDistributionOptions, {
    params,
    query: { packageId: obsolete.id },
    body: { commands: ['Uninstall'] },
  })
  await activate({ params })
  await allSlices()

  expect(await kindsOf(first)).toEqual(threeInstalls)
  expect(await state.deployment(first, fix)).toMatchObject({ status: 'Pending' })
})

test('the task of a large activation is running and shows the progress until all its work exists', async () => {
  const made = await fleet()
  const trackingId = await activate(made)

  const before = await taskOf(trackingId)
  await slice()
  // The agent is faster than the service.
  await sql`update work set state = 'Success', closed_at = now() where task_id = ${trackingId}`.execute(db)
  const between = await taskOf(trackingId)
  const running = await as('computer.read').call(listTasks, { query: { status: 1 } })
  await slice(2)
  const after = await taskOf(trackingId)

  const progress = { computers: 3, withdrawn: 0 }
  expect(before).toMatchObject({ status: 1, total: 0, preparation: { state: 'Running', completed: 0, ...progress } })
  expect(between).toMatchObject({
    ...{ status: 1, total: 3, open: 0, finishedAtUtc: null },
    preparation: { state: 'Running', completed: 1, ...progress },
  })
  expect(running.body.items.map((task) => task.trackingId)).toContain(trackingId)
  expect(after).toMatchObject({ status: 1, total: 9, open: 6, preparation: { state: 'Completed', completed: 3 } })
  expect(await slice()).toBe(false)
})

test('a large activation without due work has a task that ends', async () => {
  const { computers, ...made } = await fleet()
  await activate(made)
  await allSlices()

  const trackingId = await activate(made)
  const before = await taskOf(trackingId)
  await allSlices()
  const after = await taskOf(trackingId)

  expect(before).toMatchObject({ status: 1, finishedAtUtc: null })
  expect(after).toMatchObject({ status: 2, total: 0, finishedAtUtc: expect.any(String) })
  for (const one of computers) expect(await kindsOf(one)).toEqual(threeInstalls)
})

test('large activations of one group follow each other in the order of their requests', async () => {
  const made = await fleet()
  const [first, second] = [await activate(made), await activate(made, { software: true, pull: true })]

  await slice()
  const between = [await taskOf(first), await taskOf(second)]
  await allSlices()

  expect(between).toMatchObject([{ preparation: { completed: 1 } }, { preparation: { completed: 0 } }])
  expect(await taskOf(first)).toMatchObject({ total: 9, preparation: { state: 'Completed' } })
  // What the first one has already created is not created again.
  expect(await taskOf(second)).toMatchObject({ total: 3, preparation: { state: 'Completed' } })
})

test('any number of nodes may create slices at once, and none is lost or made twice', async () => {
  const made = await fleet()
  const trackingId = await activate(made)

  const nodes = Array.from({ length: 4 }, async () => {
    for (let n = 0; n < 10; n++) await slice()
  })
  await Promise.all(nodes)
  await allSlices()

  expect(await taskOf(trackingId)).toMatchObject({ total: 9, preparation: { state: 'Completed', completed: 3 } })
  const { rows } = await sql`
    select package_id from distribution_events where computer_id = any(${made.computers.map(({ id }) => id)})`.execute(
    db,
  )
  expect(rows).toHaveLength(9)
})

test('while the installation is frozen, a large activation waits', async () => {
  const trackingId = await activate(await fleet())
  const freeze = (frozen: boolean) => as('admin.manage').call(setFreeze, { body: { frozen, reason: 'Wrong package' } })
  await freeze(true)

  const madeWhileFrozen = await slice()
  await freeze(false)
  await allSlices()

  expect(madeWhileFrozen).toBe(false)
  expect(await taskOf(trackingId)).toMatchObject({ total: 9 })
})

test('an activation whose work cannot be created fails after some attempts, and the next one goes on', async () => {
  const [broken, next] = [await fleet(), await fleet()]
  const [brokenId, nextId] = [await activate(broken), await activate(next)]
  const victim = broken.second.id
  await sql`
    create or replace function refuse_work() returns trigger language plpgsql as 'begin raise ''broken''; end'`.execute(
    db,
  )
  await sql
    .raw(
      `create trigger broken before insert on work for each row when (new.computer_id = ${victim}) execute function refuse_work()`,
    )
    .execute(db)

  await slice()
  for (let n = 0; n < 10; n++) await slice()
  await sql`drop trigger broken on work`.execute(db)
  await allSlices()

  expect(await taskOf(brokenId)).toMatchObject({
    ...{ status: 1, total: 3, open: 3 },
    preparation: { state: 'Failed', completed: 1, withdrawn: 2 },
  })
  await operator.call(deactivateGroup, { params: broken.params })
  expect(await taskOf(brokenId)).toMatchObject({ status: 3, cancelled: 3, finishedAtUtc: expect.any(String) })
  expect(await taskOf(nextId)).toMatchObject({ total: 9, preparation: { state: 'Completed' } })
})

test('the task of a large activation is kept until its work exists, however old it is', async () => {
  const [waiting, done] = [await activate(await fleet()), await activate(await fleet())]
  await sql`update tasks set created_at = now() - interval '40 days' where id in (${waiting}, ${done})`.execute(db)

  await purgeTasks(db, 30)

  expect(await taskOf(waiting)).toMatchObject({ preparation: { state: 'Running' } })
  await allSlices()
})
