import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listTimeline } from '../../src/features/fleet/api/tasks/list-timeline.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { eventsOf } from '../events/read-log.ts'
import { openRolloutWorld } from './rollout-world.ts'

const world = await openRolloutWorld()
const { cancel, computers, create, db, doWork, fail, fleet, letMinutesPass, pause, read, resume, retry, state, tick } =
  world

/** Only one kind of pause at a time. */
const never = { maxFailurePercent: null, sharedCauseComputers: null, silentComputers: null, bootFailures: null }

test('more failures than the criteria allow pause a rollout from the first attempt on, and a resume forgives them', async () => {
  const { group, agents } = await fleet(4)
  const { rolloutId: id } = (
    await create(group, { rings: [{ count: 3 }, {}], criteria: { ...never, maxFailurePercent: 34 } })
  ).body
  await tick(id)
  const failing = (await computers(id, { ring: 1 })).map(({ computerId }) => computerId)
  const first = agents.filter((one) => one.id === failing[0])
  await doWork(first, () => ({ status: 'Failed', exitCode: 7, output: 'No licence on pc-1' }))
  const withOne = await tick(id)
  await doWork(agents, () => ({ status: 'Failed', exitCode: 8, output: 'Other' }))
  const paused = await tick(id)
  await resume(id)
  const resumed = await tick(id)

  expect(withOne.state).toBe('Running')
  expect(paused).toMatchObject({
    state: 'Paused',
    releasedCount: 3,
    pause: {
      code: 'Failures',
      ring: 1,
      computers: 3,
      retried: 3,
      limit: 1,
      text: '3 computers of ring 1 failed; at most 1 may fail. Of these, 3 will be retried after the pause.',
    },
    next: { code: 'Resume' },
  })
  expect(paused.rings[0]?.computers).toMatchObject({ retrying: 3, failing: 3 })
  expect(resumed).toMatchObject({ state: 'Running', pause: null })
  expect(resumed.rings[0]?.computers).toMatchObject({ retrying: 3, failing: 0 })
})

test('a pause, the figures, the list and the events count the same failed and retried computers', async () => {
  const { group, agents } = await fleet(4)
  const [broken, ...others] = agents
  const { rolloutId: id } = (await create(group, { criteria: { ...never, maxFailurePercent: 25 } })).body
  await tick(id)
  await fail([broken ?? expect.fail()])
  const withOne = await tick(id)
  const failing = () => ({ status: 'Failed' as const, exitCode: 7 })
  await doWork(others.slice(0, 1), failing)
  const events = await eventsOf(world, () => tick(id))
  const paused = await read(id)
  const statesOf = async () => countBy((await computers(id)).map(({ state }) => state))
  const states = await statesOf()
  const { items } = (await world.operator.call(listTimeline, { query: { groupId: group.id } })).body
  await resume(id)
  await doWork(others.slice(1), failing)
  const again = await tick(id)

  const at = paused.pause?.atUtc
  const numbers = { code: 'Failures', ring: 1, computers: 2, retried: 1, limit: 1, atUtc: at, sinceUtc: null }
  expect([withOne.state, at]).toEqual(['Running', expect.any(String)])
  expect(paused).toMatchObject({ failedCount: 1, retryingCount: 1, pause: numbers })
  expect(paused.pause?.text).toBe(
    '2 computers of ring 1 failed; at most 1 may fail. Of these, 1 will be retried after the pause.',
  )
  expect(states).toEqual({ Failed: 1, Retrying: 1, Pending: 2 })
  expect(items).toMatchObject([{ total: 4, open: 3, failed: 1, retrying: 1, pause: numbers }])
  expect(events.find(({ type }) => type === 'muster.rollout.paused')?.data).toMatchObject({ pause: numbers })
  expect(again).toMatchObject({
    ...{ failedCount: 1, retryingCount: 3 },
    pause: { computers: 2, retried: 2, sinceUtc: expect.any(String) },
  })
  expect(again.pause?.text).toMatch(/^Since it was resumed: 2 computers of ring 1 failed; .* 2 will be retried/)
  expect(await statesOf()).toEqual({ Failed: 1, Retrying: 3 })
})

const countBy = (values: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, of]) => [value, of.length]))

test.for([
  ['exit code', { exitCode: 1603 }, (n: number) => `Text ${'abc'[n]}`, { exitCode: 1603, error: null }],
  [
    'error',
    {},
    (n: number) => `Disk ${n} of /dev/sd${n} is full`,
    { exitCode: null, error: 'disk <n> of <path> is full' },
  ],
] as const)('a cause that computers share pauses a rollout: the same %s', async ([, changes, output, shared]) => {
  const { group, agents } = await fleet(3)
  const { rolloutId: id } = (await create(group, { criteria: { ...never, sharedCauseComputers: 3 } })).body
  await tick(id)
  const numberOf = new Map(agents.map((one, index) => [one.id, index]))
  const failed = (n: number) => ({ status: 'Failed' as const, exitCode: n + 2, output: output(n), ...changes })
  await doWork(agents.slice(0, 2), (one) => failed(numberOf.get(one.id) ?? 0))
  const before = await tick(id)
  await doWork(agents.slice(2), () => failed(2))
  const paused = await tick(id)

  expect(before.state).toBe('Running')
  expect(paused).toMatchObject({ state: 'Paused', pause: { code: 'SharedCause', computers: 3, limit: 3, ...shared } })
  expect((await computers(id))[0]).toMatchObject({ state: 'Retrying', failedAtUtc: expect.any(String) })
})

test('agents that fall silent after the installation pause a rollout, and one that is heard again does not count', async () => {
  const { group, agents } = await fleet(3)
  const { rolloutId: id } = (
    await create(group, { criteria: { ...never, silentComputers: 2, silentAfterMinutes: 60 } })
  ).body
  await tick(id)
  await doWork(agents)
  await tick(id)
  await letMinutesPass(id, 50)
  await agents[0]?.contact()
  await letMinutesPass(id, 15)
  const paused = await tick(id)
  await agents[1]?.contact()
  await resume(id)
  const resumed = await tick(id)

  expect(paused).toMatchObject({ state: 'Paused', pause: { code: 'SilentAgents', computers: 2, limit: 2 } })
  expect(resumed.state).toBe('CatchingUp')
  const silent = (await computers(id)).filter(({ silentSinceUtc }) => silentSinceUtc)
  expect(silent.map(({ computerId }) => computerId)).toEqual([agents[2]?.id])
})

test('computers that do not come back from a restart, or restart again and again, pause a rollout', async () => {
  const { group, agents } = await fleet(2)
  const [gone, looping] = [agents[0] ?? expect.fail(), agents[1] ?? expect.fail()]
  const { rolloutId: id } = (await create(group, { criteria: { ...never, bootFailures: 2, bootTimeoutMinutes: 30 } }))
    .body
  await tick(id)
  await doWork(agents)
  const restart = await world.work(gone, { id: null }, { kind: 'Power', power_action: 'Reboot', timeout_minutes: 0 })
  await doWork([gone])
  await letMinutesPass(id, 31)
  await looping.contact()
  const withOne = await tick(id)
  for (let minute = 1; minute <= 3; minute++) {
    await looping.contact({ bootTimeUtc: new Date(Date.now() - 60_000 * (10 - minute)).toISOString() })
    await tick(id)
  }
  const paused = await read(id)

  expect((await state.work(restart)).state).toBe('Success')
  expect(withOne.state).not.toBe('Paused')
  expect((await computers(id)).filter(({ bootFailedAtUtc }) => bootFailedAtUtc)).toHaveLength(2)
  expect(paused).toMatchObject({ state: 'Paused', pause: { code: 'BootFailures', computers: 2, limit: 2 } })
})

test('while a rollout is paused, its agents get no work and start none, and everything continues after it', async () => {
  const { group, agents } = await fleet(2)
  const [first, second] = [agents[0] ?? expect.fail(), agents[1] ?? expect.fail()]
  const { rolloutId: id } = (await create(group)).body
  await tick(id)
  const [leased] = (await first.contact()).body.work
  const paused = await pause(id)
  const refused = await first.start(leased?.workId ?? 0)
  const nothing = (await second.contact()).body.work
  await tick(id)
  const again = await pause(id)
  await sql`
    insert into wake_connections (computer_id, disconnected_at)
    select id, now() from unnest(${agents.map((agent) => agent.id)}::integer[]) as connected (id)`.execute(db)
  await resume(id)
  const { rows: called } = await sql<{ id: number }>`
    select computer_id as id from wake_calls where computer_id = any(${agents.map((agent) => agent.id)}::integer[])`.execute(
    db,
  )
  const { work } = (await first.contact({ emptyHanded: true })).body

  expect(paused.body).toMatchObject({
    state: 'Paused',
    pause: { code: 'ByPrincipal', text: expect.stringMatching(/^client-.* paused it: A problem\.$/) },
  })
  expect(refused).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
  expect(nothing).toEqual([])
  expect(again).toMatchObject({ status: 409, problem: 'RolloutPaused' })
  // The other one has its work already.
  expect(called).toEqual([{ id: second.id }])
  expect(work.map(({ workId }) => workId)).toEqual([leased?.workId])
  expect(await resume(id)).toMatchObject({ status: 409, problem: 'RolloutNotPaused' })
})

test('a retry repeats the work that failed and nothing else', async () => {
  const { group, agents, packages } = await fleet(2, {}, {})
  // What is reinstalled at each activation would be due again.
  await sql`insert into distribution_options (group_id, package_id, dist_commands) values (${group.id}, ${packages[1]?.id}, 8)`.execute(
    db,
  )
  const { rolloutId: id } = (await create(group, { criteria: never })).body
  const [broken, fine] = [agents[0] ?? expect.fail(), agents[1] ?? expect.fail()]
  await tick(id)
  const isBroken = (packageId: string | undefined) => packageId === packages[0]?.id
  for (const one of agents)
    for (let attempt = 1; attempt <= 3; attempt++) {
      for (const item of (await one.contact()).body.work) {
        await one.start(item.workId, item.attempt)
        const failed = one === broken && isBroken(item.package?.packageId)
        await one.report(item.workId, { attempt: item.attempt, ...(failed && { status: 'Failed', exitCode: 1 }) })
      }
      await sql`update work set not_before = now() where state = 'Due'`.execute(db)
    }
  const failed = await tick(id)
  const requested = await retry(id)
  await tick(id)
  const { work } = (await broken.contact()).body
  const others = await doWork([fine])
  await broken.start(work[0]?.workId ?? 0)
  await broken.report(work[0]?.workId ?? 0)

  expect(failed).toMatchObject({ state: 'Running', failedCount: 1, succeededCount: 1 })
  expect(requested.body.rings[0]?.computers).toMatchObject({ unreleased: 1, failed: 0 })
  expect(work.map((item) => item.package?.packageId)).toEqual([packages[0]?.id])
  expect(others).toBe(0)
  expect(await tick(id)).toMatchObject({ state: 'CatchingUp', failedCount: 0, succeededCount: 2 })
  expect(await retry(id)).toMatchObject({ status: 409, problem: 'NothingFailed' })
})

test('a cancelled rollout hands out nothing from the next contact on, cancels what waits and lets begun work end', async () => {
  const { group, agents } = await fleet(3)
  const { rolloutId: id } = (await create(group, { rings: [{ count: 2 }, {}] })).body
  await tick(id)
  const inRing = await computers(id, { ring: 1 })
  const members = agents.filter((one) => inRing.some(({ computerId }) => computerId === one.id))
  const [one, other] = [members[0] ?? expect.fail(), members[1] ?? expect.fail()]
  const [item] = (await one.contact()).body.work
  await one.start(item?.workId ?? 0)
  const cancelled = await cancel(id)
  const nothing = (await other.contact()).body.work
  const cancelling = await tick(id)
  const reported = await one.report(item?.workId ?? 0)
  const ended = await tick(id)

  expect(cancelled.body).toMatchObject({ state: 'Cancelled', next: { code: 'Cancelling' } })
  expect(nothing).toEqual([])
  expect(cancelling).toMatchObject({ state: 'Cancelled', endedAtUtc: null, releasedCount: 2 })
  expect(reported.status).toBe(200)
  expect(ended).toMatchObject({ endedAtUtc: expect.any(String), succeededCount: 1, next: null })
  expect(ended.rings[0]?.computers).toMatchObject({ cancelled: 1, succeeded: 1 })
  expect(await pause(id)).toMatchObject({ status: 409, problem: 'RolloutEnded' })
})

test('a computer whose work failed for good keeps a ring from going on until the criteria are changed', async () => {
  const { group, agents } = await fleet(2)
  const { rolloutId: id } = (await create(group, { criteria: never })).body
  await tick(id)
  await fail(agents.slice(0, 1))
  await doWork(agents)
  const before = await tick(id)
  await world.operator.send({
    method: 'PATCH',
    url: `/api/rollouts/${id}`,
    payload: { name: 'Half is enough', criteria: { minSuccessPercent: 50 } },
  })

  expect(before).toMatchObject({ state: 'Running', next: { code: 'Results' }, failedCount: 1 })
  expect(before.next?.text).toContain('1 successes and 1 failures of 2 computers')
  expect(await tick(id)).toMatchObject({ state: 'CatchingUp', name: 'Half is enough' })
})

test('computers that leave the group do not count as failed, whether their work waits or is retried', async () => {
  const { group, agents } = await fleet(3)
  const { rolloutId: id } = (await create(group, { criteria: never })).body
  await tick(id)
  const [retrying, waiting, staying] = agents
  await doWork(agents.slice(0, 1), () => ({ status: 'Failed', exitCode: 1603 }))

  await world.as('group.write').call(removeGroupComputers, {
    params: { id: group.id },
    query: { computerIds: [retrying?.id ?? 0, waiting?.id ?? 0] },
  })
  await doWork(agents)
  const after = await tick(id)

  const states = new Map((await computers(id)).map(({ computerId, state }) => [computerId, state]))
  expect(states.get(retrying?.id ?? 0)).toBe('Cancelled')
  expect(states.get(waiting?.id ?? 0)).toBe('Cancelled')
  expect(states.get(staying?.id ?? 0)).toBe('Succeeded')
  expect(after).toMatchObject({ state: 'CatchingUp', failedCount: 0 })
})
