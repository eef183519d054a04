import { expect, test } from 'vitest'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { getRollout } from '../../src/features/rollouts/api/get-rollout.ts'
import { openRolloutWorld } from './rollout-world.ts'

const world = await openRolloutWorld()
const { advance, as, computers, create, doWork, fleet, given, join, letMinutesPass, tick } = world

test('a rollout goes through three rings: each opens when the one before it succeeded and soaked', async () => {
  const { group, agents, packages } = await fleet(6, { files: { 'setup.sh': 'echo' } }, {})
  const rings = [{ name: 'Pilot', count: 1 }, { percent: 34 }, { name: 'Rest' }]
  const { body: created } = await create(group, { rings, criteria: { soakMinutes: 30 } })
  const id = created.rolloutId
  const ringOf = new Map((await computers(id)).map(({ computerId, ring }) => [computerId, ring]))
  const inRing = (ring: number) => agents.filter((one) => ringOf.get(one.id) === ring)
  const beforeRelease = await doWork(agents)
  const seen: unknown[] = []

  for (const ring of [1, 2, 3]) {
    const opened = await tick(id)
    seen.push([opened.openRing, opened.next?.code, opened.releasedCount])
    const items = await doWork(agents)
    seen.push([items, items === inRing(ring).length * packages.length])
    const soaking = await tick(id)
    seen.push([soaking.openRing, soaking.next?.code])
    await letMinutesPass(id, 31)
    await tick(id)
  }
  const done = await tick(id)

  expect(beforeRelease).toBe(0)
  expect([1, 2, 3].map((ring) => inRing(ring).length)).toEqual([1, 2, 3])
  expect(created.next).toMatchObject({ code: 'OpenRing', ring: 1 })
  expect(created.rings.map(({ name, state, computers }) => [name, state, computers.total])).toEqual([
    ['Pilot', 'Waiting', 1],
    ['2', 'Waiting', 2],
    ['Rest', 'Waiting', 3],
  ])
  expect(seen).toEqual([
    [1, 'Results', 1],
    [2, true],
    [1, 'Soaking'],
    [2, 'Results', 3],
    [4, true],
    [2, 'Soaking'],
    [3, 'Results', 6],
    [6, true],
    [3, 'Soaking'],
  ])
  expect(done).toMatchObject({ state: 'CatchingUp', succeededCount: 6, failedCount: 0, openRing: null })
  expect(done.rings.map(({ state }) => state)).toEqual(['Done', 'Done', 'Done'])
})

test('a dry run changes nothing and predicts the computers, work items and downloads of each ring', async () => {
  const files = { 'setup.sh': 'x'.repeat(1000) }
  const { group, agents } = await fleet(4, { files }, { files: { a: 'abc' } })
  const body = { rings: [{ count: 1 }, {}], catchUpDays: 0 }
  const planned = await create(group, body, { dryRun: true })
  const listed = await world.operator.send({ method: 'GET', url: `/api/rollouts?groupId=${group.id}` })
  const id = (await create(group, body)).body.rolloutId
  const items: number[] = []
  for (let ring = 0; ring < 2; ring++) {
    await tick(id)
    items.push(await doWork(agents))
  }
  const done = await tick(id)

  expect(planned.headers['muster-dry-run']).toBe('true')
  expect((listed.raw as { totalCount: number }).totalCount).toBe(0)
  expect(
    planned.body.rings.map(({ computers, plannedWorkItems, plannedDownloadBytes }) => [
      computers.total,
      plannedWorkItems,
      plannedDownloadBytes,
    ]),
  ).toEqual([
    [1, 2, 1003],
    [3, 6, 3009],
  ])
  expect(items).toEqual([2, 6])
  expect(done).toMatchObject({ state: 'Completed', next: null })
  const [first, second] = planned.body.rings.map(({ expectedEndUtc }) => new Date(expectedEndUtc).getTime())
  expect((first ?? 0) - Date.now()).toBeGreaterThan(3_000_000)
  expect(second).toBeGreaterThan(first ?? 0)
})

test('one package of a group is rolled out without the others', async () => {
  const { group, agents, packages } = await fleet(2, {}, {})
  const { body } = await create(group, { packageId: packages[0]?.id ?? null })

  await tick(body.rolloutId)
  const { work } = (await agents[0]?.contact())?.body ?? expect.fail()

  expect(body.rings[0]?.plannedWorkItems).toBe(2)
  expect(work.map((item) => item.package?.packageId)).toEqual([packages[0]?.id])
})

test('rings of member groups take the members, others the lowest positions, and every computer says why', async () => {
  const { group, agents } = await fleet(5)
  const special = await given.group({ tree: 'AssignmentGroups', name: 'Volunteers' })
  const below = await given.group({ tree: 'AssignmentGroups', parent: special })
  await given.member(below, agents[3] ?? expect.fail())
  const { body } = await create(group, { rings: [{ groupId: special.id }, { count: 2 }, {}] })
  const placed = await computers(body.rolloutId)
  const positions = (ring: number) => placed.filter((one) => one.ring === ring).map(({ position }) => position)

  expect(placed.filter(({ ring }) => ring === 1).map(({ computerId }) => computerId)).toEqual([agents[3]?.id])
  expect(placed[0]?.ringReason).toContain('Volunteers')
  expect(positions(2)).toHaveLength(2)
  expect(Math.max(...positions(2))).toBeLessThan(Math.min(...positions(3)))
  expect(placed.find(({ ring }) => ring === 2)?.ringReason).toMatch(/^Its position 0\.\d+ is below 0\.\d+/)
  expect(body.rings[1]?.size.positionsBelow).toBe(Math.min(...positions(3)))
})

test('a gradual release spreads the computers of a ring over its time', async () => {
  const { group, agents } = await fleet(4)
  const { rolloutId: id } = (await create(group, { rings: [{ releaseMinutes: 60 }] })).body
  const released = [(await tick(id)).releasedCount]

  for (const minutes of [16, 15, 30]) {
    await letMinutesPass(id, minutes)
    released.push((await tick(id)).releasedCount)
  }

  expect(released).toEqual([1, 1, 2, 4])
  expect(await doWork(agents)).toBe(4)
})

test('computers that join the group later go to the ring of their position, and those that were away get their work', async () => {
  const { group, agents } = await fleet(3)
  const { rolloutId: id } = (await create(group, { rings: [{ percent: 34 }, {}], criteria: { awayHours: 1 } })).body
  await tick(id)
  const [away] = await computers(id, { ring: 1 })
  const others = agents.filter((one) => one.id !== away?.computerId)
  await doWork(others)
  const waiting = await tick(id)
  await advance(id)
  await tick(id)
  await doWork(others)
  const caughtUp = await tick(id)
  const joined = await join(group)
  await tick(id)
  const late = [await doWork([joined]), await doWork(agents)]
  const done = await tick(id)
  await letMinutesPass(id, 15 * 1440)

  expect(waiting.next?.code).toBe('Results')
  expect(caughtUp).toMatchObject({ state: 'CatchingUp', succeededCount: 2 })
  expect(late).toEqual([1, 1])
  expect(done).toMatchObject({ computerCount: 4, succeededCount: 4 })
  expect(await tick(id)).toMatchObject({ state: 'Completed', next: null })
})

test('a ring does not wait for computers that were not seen since their release for longer than the criteria allow', async () => {
  const { group, agents } = await fleet(3)
  const { rolloutId: id } = (await create(group, { criteria: { awayHours: 2, minResults: 2 }, catchUpDays: 0 })).body
  await tick(id)
  await doWork(agents.slice(0, 1))
  const withOne = await tick(id)
  await doWork(agents.slice(1, 2))
  const withTwo = await tick(id)
  await letMinutesPass(id, 121)
  const done = await tick(id)

  expect([withOne.state, withTwo.state, done.state]).toEqual(['Running', 'Running', 'Completed'])
  expect(done.rings[0]?.computers).toMatchObject({ succeeded: 2, pending: 1, away: 1 })
  expect(await doWork(agents.slice(2))).toBe(1)
})

test('a rollout ends when only offers are left, and counts one that a user takes before', async () => {
  const { group, agents, packages } = await fleet(3, {})
  const [optional] = packages
  await as('group.write').call(setDistributionOptions, {
    params: { id: group.id },
    query: { packageId: optional?.id ?? '' },
    body: { commands: ['Install', 'Optional'] },
  })
  const { rolloutId: id } = (await create(group, { catchUpDays: 1 })).body
  const offered = await tick(id)
  const [user] = agents
  const { work } = (await user?.contact({ wants: [optional?.id ?? ''] }))?.body ?? {}
  const taken = await tick(id)
  await user?.report(work?.[0]?.workId ?? 0)
  const done = await tick(id)
  await letMinutesPass(id, 1441)

  expect(offered).toMatchObject({ state: 'CatchingUp', nothingDueCount: 3 })
  expect(taken.rings[0]?.computers).toMatchObject({ pending: 1, nothingDue: 2 })
  expect(done.rings[0]?.computers).toMatchObject({ pending: 0, succeeded: 1, nothingDue: 2 })
  expect(await tick(id)).toMatchObject({ state: 'Completed', next: null })
})

test('the work of a rollout belongs to tasks, and together they are its time line', async () => {
  const { group, agents } = await fleet(3)
  const id = (await create(group, { rings: [{ count: 1 }, {}], criteria: { minSuccessPercent: 1, minResults: 1 } }))
    .body.rolloutId
  const timeLine = async () =>
    (await world.operator.call(getRollout, { params: { id }, query: { include: 'timeLine' } })).body.timeLine
  const before = await timeLine()
  await tick(id)
  const { body } = await world.operator.call(listTasks, { query: { top: 1 } })
  await doWork(agents)
  await tick(id)

  expect(before).toEqual({ intervalMinutes: 1, points: [], failureGroups: [] })
  expect(body.items).toMatchObject([{ type: 'Activation', groupId: group.id }])
  expect((await timeLine())?.points.at(-1)).toMatchObject({ due: 2, leased: 0, succeeded: 1, failed: 0 })
})
