import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { setFreeze } from '../../src/features/blast-radius/api/set-freeze.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { makeSlice, makeSlices } from '../../src/features/deployments/jobs/make-slices.ts'
import { purgeTasks } from '../../src/features/deployments/jobs/purge-tasks.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { openWorld, type World } from '../world/open-world.ts'
import { findInversions, recordLocks } from '../world/record-locks.ts'
import { deploymentStateIn } from './deployment-state.ts'

// Every activation of a group with work is large in this world.
const world = await openWorld({ configuration: { slicedActivationItems: 1 } })
const { as, db, given } = world
const operator = as('activation.execute', 'group.write', 'computer.write')
const state = deploymentStateIn(db, given)
const context = { db, logger: pino({ level: 'silent' }), isBusy: () => false }

/** Creates the work of so many computers, as the periodic task of a node does. */
const slice = (computers = 1) => makeSlice(context, computers)

const allSlices = () => makeSlices(context).run(new AbortController().signal)

/** Three computers in a group with two packages, and each also in a group of its own. One has no MAC address. */
async function fleet({ given }: Pick<World, 'given'> = world) {
  const group = await given.group()
  const computers = []
  for (const name of ['first', 'second', 'third']) {
    const computer = await given.computer(name === 'third' ? { mac: null, uuid: randomUUID() } : {})
    const own = await given.group({ tree: 'AssignmentGroups' })
    await given.assignment(own, await given.package({ name: `own of ${name}` }), 'package')
    for (const one of [own, group]) await given.member(one, computer)
    computers.push(computer)
  }
  for (const name of ['editor', 'viewer']) await given.assignment(group, await given.package({ name }), 'package')
  return { group, computers, params: { id: group.id } }
}

const software = { software: true }
const activate = async ({ params }: { params: { id: string } }, body: object = software) => {
  const { body: answer } = await operator.call(activateGroup, { params, body })
  return answer.trackingId ?? expect.fail('There is no task.')
}

const taskOf = async (trackingId: string) =>
  (await as('computer.read').call(getTask, { params: { trackingId }, query: { top: 1 } })).body

const kindsOf = async (computer: { id: number }) => (await state.openWork(computer)).map(({ kind }) => kind).toSorted()

function requireThree<T>([first, second, third]: readonly T[]): [T, T, T] {
  if (!first || !second || !third) return expect.fail('There are fewer than three.')
  return [first, second, third]
}

const three = ['Install', 'Install', 'Install']

test('the answer to a large activation and all that it writes are the same as those of a small one', async () => {
  const body = { software: true, pxe: true, pull: true, wolNow: true, srl: { action: 'Shutdown' as const } }
  const written = async (one: World, makesSlices: boolean) => {
    const { group, computers, params } = await fleet(one)
    await one.given.assignment(group, await one.given.pxeBootImage({ name: 'boot' }), 'pxeBootImage')
    const answer = await one.as('activation.execute').call(activateGroup, { params, body })
    const isEmpty = (await one.db.selectFrom('work').select('id').execute()).length === 0
    expect(isEmpty).toBe(makesSlices)
    if (makesSlices) await allSlices()
    const { rows } = await sql`
      select c.position, work.kind, packages.name, work.power_action, work.timeout_minutes, deployments.status,
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
})

test('the task of a large activation is running and shows the progress until all its work exists', async () => {
  const { computers, ...made } = await fleet()
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
  for (const one of computers) expect(await kindsOf(one)).toEqual(three)
})

test('deactivating the group stops a large activation', async () => {
  const { computers, params } = await fleet()
  const trackingId = await activate({ params })
  await slice()

  const { body } = await operator.call(deactivateGroup, { params })
  await allSlices()

  expect(body).toMatchObject({ computerCount: 3, cancelledWork: 3 })
  expect(await taskOf(trackingId)).toMatchObject({
    ...{ status: 2, total: 3, cancelled: 3 },
    preparation: { state: 'Cancelled', computers: 3, completed: 1, withdrawn: 2 },
  })
  for (const one of computers) expect([await kindsOf(one), await state.activations(one)]).toEqual([[], []])
})

test('a computer that is deactivated before its turn gets no work, and the others get theirs', async () => {
  const { computers, ...made } = await fleet()
  const [first, second, third] = requireThree(computers)
  const trackingId = await activate(made)

  await operator.call(deactivateComputer, { params: { id: second.id } })
  await allSlices()

  expect([await kindsOf(first), await kindsOf(second), await kindsOf(third)]).toEqual([three, [], three])
  expect(await taskOf(trackingId)).toMatchObject({
    preparation: { state: 'Completed', computers: 3, completed: 2, withdrawn: 1 },
  })
})

test('a deactivation of one bit leaves what else a large activation that came before it publishes', async () => {
  const { computers, params } = await fleet()
  const trackingId = await activate({ params }, { software: true, pull: true })
  await slice()

  await operator.call(deactivateGroup, { params, query: { software: true } })
  await allSlices()

  for (const one of computers) expect(await kindsOf(one)).toEqual(['Refresh'])
  expect(await taskOf(trackingId)).toMatchObject({ preparation: { state: 'Completed', completed: 3, withdrawn: 0 } })
})

test('a deactivation without the other groups leaves what a large activation publishes through these', async () => {
  const { computers, params } = await fleet()
  await activate({ params })

  await operator.call(deactivateGroup, { params, query: { global: false } })
  await allSlices()

  for (const one of computers) expect(await kindsOf(one)).toEqual(['Install'])
})

test('the deletion of the group ends its large activation, and the next one goes on', async () => {
  const [{ params, group, computers }, next] = [await fleet(), await fleet()]
  const [trackingId, nextId] = [await activate({ params }), await activate(next)]
  await slice()

  await operator.call(deleteGroup, { params: { id: group.id }, query: { force: true } })
  await allSlices()

  expect(await taskOf(trackingId)).toMatchObject({
    ...{ total: 3, groupId: null },
    preparation: { state: 'Cancelled', completed: 1, withdrawn: 2 },
  })
  expect(await kindsOf(computers[2] ?? { id: 0 })).toEqual([])
  expect(await taskOf(nextId)).toMatchObject({ total: 9, preparation: { state: 'Completed', completed: 3 } })
})

test('computers that were deleted or have left the group before their turn get no work', async () => {
  const { computers, params } = await fleet()
  const [first, second, third] = requireThree(computers)
  const trackingId = await activate({ params }, { software: true, pull: true, srl: { action: 'Reboot' } })

  await operator.call(deleteComputer, { params: { id: first.id }, query: { force: true } })
  await operator.call(removeGroupComputers, { params, query: { computerIds: [second.id] } })
  await allSlices()

  expect(await taskOf(trackingId)).toMatchObject({ total: 5, preparation: { state: 'Completed', completed: 3 } })
  expect(await kindsOf(second)).toEqual([])
  expect(await kindsOf(third)).toEqual([...three, 'Power', 'Refresh'])
})

test('large activations of one group follow each other in the order of their requests', async () => {
  const { computers, ...made } = await fleet()
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
  const victim = broken.computers[1]?.id ?? 0
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

test.each([
  ['a slice', () => slice(3)],
  ['a deactivation that withdraws computers', (params: { id: string }) => operator.call(deactivateGroup, { params })],
  [
    'a deactivation that creates work first',
    (params: { id: string }) => operator.call(deactivateGroup, { params, query: { pull: true } }),
  ],
] as const)('%s of a large activation locks rows in the documented order', async (_name, change) => {
  const made = await fleet()
  await activate(made)
  await allSlices()
  await activate(made, { software: true, pull: true })

  const locks = await recordLocks(db, () => change(made.params))

  expect(locks.map(({ table }) => table)).toContain('sliced_activations')
  expect(findInversions(locks)).toEqual([])
  await allSlices()
})

test('the task of a large activation is kept until its work exists, however old it is', async () => {
  const [waiting, done] = [await activate(await fleet()), await activate(await fleet())]
  await sql`update tasks set created_at = now() - interval '40 days' where id in (${waiting}, ${done})`.execute(db)

  await purgeTasks(db, 30)

  expect(await taskOf(waiting)).toMatchObject({ preparation: { state: 'Running' } })
  await allSlices()
})
