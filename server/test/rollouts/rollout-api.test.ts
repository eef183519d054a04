import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { retryTask } from '../../src/features/deployments/api/tasks/retry-task.ts'
import { listComputerTags } from '../../src/features/depots/api/list-computer-tags.ts'
import { setComputerTags } from '../../src/features/depots/api/set-computer-tags.ts'
import { listTimeline } from '../../src/features/fleet/api/tasks/list-timeline.ts'
import { advanceRollout } from '../../src/features/rollouts/api/advance-rollout.ts'
import { createRollout } from '../../src/features/rollouts/api/create-rollout.ts'
import { getRollout } from '../../src/features/rollouts/api/get-rollout.ts'
import { listRollouts } from '../../src/features/rollouts/api/list-rollouts.ts'
import { updateRollout } from '../../src/features/rollouts/api/update-rollout.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import type { Caller } from '../world/caller.ts'
import { openRolloutWorld } from './rollout-world.ts'

const world = await openRolloutWorld({ maxRingPercent: 50 })
const { app, as, computers, create, db, doWork, fail, fleet, given, operator, read, tick, withToken } = world

/** Rings of other tests must be a small share of the fleet. */
for (let made = 0; made < 40; made++) await given.computer()

test('a ring that touches more than the configured share of the fleet within an hour is refused', async () => {
  const group = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(group, await given.package(), 'package')
  for (const { id } of await db.selectFrom('computers').select('id').execute()) await given.member(group, { id })

  const refused = await create(group)
  const halves = await create(group, { rings: [{ percent: 49 }, { percent: 49 }] })
  const gradual = await create(group, { rings: [{ releaseMinutes: 180 }] })

  expect(refused).toMatchObject({
    status: 409,
    problem: 'RingTooLarge',
    raw: { ring: 1, percent: 100, maxPercent: 50 },
  })
  expect([halves.status, gradual.status]).toEqual([201, 201])
})

test('a ring with every protected computer of a site is refused, unless it is allowed or they are in different rings', async () => {
  const { group, agents } = await fleet(3)
  const manager = as('package.write', 'computer.write', 'computer.read')
  const tagOf = async (designation: string) => (await manager.call(createTag, { body: { designation } })).body.id
  const tagIds = [await tagOf('site:Berlin'), await tagOf('Protected:Domain-Controller')]
  const tag = (index: number) => {
    const id = agents[index]?.id ?? 0
    return manager.call(setComputerTags, { params: { id }, body: { tagIds } })
  }
  const tagged = await tag(0)
  const only = await create(group)
  await tag(1)
  const both = await create(group)
  const first = await given.group({ tree: 'AssignmentGroups' })
  await given.member(first, agents[0] ?? expect.fail())
  const apart = await create(group, { rings: [{ groupId: first.id }, {}] })
  const allowed = await create(group, { allowLastOfSite: true })

  expect(tagged.body.map(({ designation }) => designation)).toEqual(['site:Berlin', 'Protected:Domain-Controller'])
  expect((await manager.call(listComputerTags, { params: { id: agents[0]?.id ?? 0 } })).body).toEqual(tagged.body)
  for (const refused of [only, both])
    expect(refused).toMatchObject({
      status: 409,
      problem: 'LastOfSite',
      raw: { ring: 1, site: 'berlin', role: 'domain-controller' },
    })
  expect([apart.status, allowed.status]).toEqual([201, 201])
  const unknown = await manager.call(setComputerTags, {
    params: { id: agents[0]?.id ?? 0 },
    body: { tagIds: [2_000_000] },
  })
  expect(unknown).toMatchObject({ status: 404, problem: 'TagNotFound' })
})

test.for([
  ['rings.0', { rings: [{}, { count: 1 }] }],
  ['rings.0', { rings: [{ count: 1, percent: 5 }] }],
  ['rings.0.groupId', { rings: [{ groupId: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' }] }],
  ['timeZone', { timeZone: 'Mars/Base' }],
] as const)('a rollout with a wrong %s is refused by name', async ([name, body]) => {
  const { group } = await fleet(1)

  expect(await create(group, body as object)).toMatchObject({ status: 400, raw: { errors: [{ name }] } })
})

test('a rollout needs a group with computers and an existing package', async () => {
  const nobody = '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'
  const { group } = await fleet(1)

  expect(await create({ id: nobody })).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(await create(await given.group())).toMatchObject({ status: 409, problem: 'NoComputersInGroup' })
  expect(await create(group, { packageId: nobody })).toMatchObject({ status: 404, problem: 'PackageNotFound' })
})

test('a rollout of something that is assigned to none of its computers is refused, above, below and through a class it is accepted', async () => {
  const top = await given.group({ tree: 'AssignmentGroups' })
  const group = await given.group({ parent: top })
  const below = await given.group({ parent: group })
  await given.member(below, await given.computer())
  const viewer = await given.package()
  const nothing = await create(group)
  await given.assignment(group, await given.package({ is_pre_os: true }), 'package')
  const onlyBeforeTheSystem = await create(group)
  const accepted: number[] = []
  for (const owner of [top, group, below]) {
    const assigned = await given.package()
    await given.assignment(owner, assigned, 'package')
    accepted.push((await create(group, { packageId: assigned.id })).status)
  }
  const other = await create(group, { packageId: viewer.id })
  const tried = await create(group, { packageId: viewer.id }, { dryRun: true })
  const softwareClass = await given.softwareClass({ packages: [viewer] })
  await given.assignment(top, softwareClass, 'softwareClass')
  const throughClass = await create(group, { packageId: viewer.id })

  for (const refused of [nothing, onlyBeforeTheSystem])
    expect(refused).toMatchObject({ status: 409, problem: 'NothingAssigned', raw: { groupId: group.id } })
  for (const refused of [other, tried])
    expect(refused).toMatchObject({
      status: 409,
      problem: 'PackageNotAssigned',
      raw: { groupId: group.id, packageId: viewer.id },
    })
  expect([...accepted, throughClass.status]).toEqual([201, 201, 201, 201])
})

test('a ring in which nothing was due says so, and its computers do not count as open', async () => {
  const { group, agents } = await fleet(2)
  const first = (await create(group, { rings: [{ releaseMinutes: 0 }] })).body.rolloutId
  await tick(first)
  await doWork(agents)
  await tick(first)
  const { body } = await create(group, { name: 'Once more', rings: [{ count: 1 }, {}] })
  const ended = await tick(body.rolloutId)
  const { items } = (await operator.call(listTimeline, { query: { groupId: group.id, kind: ['Rollout'] } })).body

  expect(body.rings.map(({ plannedWorkItems }) => plannedWorkItems)).toEqual([0, 0])
  expect(ended).toMatchObject({
    state: 'CatchingUp',
    ...{ computerCount: 2, succeededCount: 0, nothingDueCount: 2 },
    rings: [{ computers: { total: 1, nothingDue: 1 } }, { computers: { total: 1, nothingDue: 1 } }],
  })
  expect(items.find(({ id }) => id === body.rolloutId)).toMatchObject({ total: 2, open: 0, nothingDue: 2 })
  expect(items.find(({ id }) => id === first)).toMatchObject({ total: 2, open: 0, succeeded: 2, nothingDue: 0 })
})

test('creating and advancing a rollout are mass actions: an unexpected number of computers changes nothing', async () => {
  const { group } = await fleet(3)
  const rings = [{ count: 1 }, {}]
  const wrong = await create(group, { rings }, { expectedCount: 2 })
  const right = await create(group, { rings }, { expectedCount: 3 })
  const id = right.body.rolloutId
  await tick(id)
  const advance = (expectedCount: number) => operator.call(advanceRollout, { params: { id }, query: { expectedCount } })
  const refused = await advance(1)
  const advanced = await advance(2)

  expect(wrong).toMatchObject({ status: 409, problem: 'UnexpectedCount' })
  expect(refused).toMatchObject({ status: 409, problem: 'UnexpectedCount', raw: { actualCount: 2 } })
  expect(advanced.body).toMatchObject({ openRing: 2, rings: [{ state: 'Done' }, { state: 'Open' }] })
  expect((await tick(id)).releasedCount).toBe(3)
})

test('a request with an Idempotency-Key creates one rollout', async () => {
  const { group } = await fleet(1)
  const body = { name: 'Once', groupId: group.id, rings: [{}] }
  const headers = { 'idempotency-key': 'rollout-once' }
  const answers = [
    await operator.call(createRollout, { body, headers }),
    await operator.call(createRollout, { body, headers }),
  ]
  const listed = await operator.call(listRollouts, { query: { groupId: group.id, state: 'Running' } })

  expect(new Set(answers.map((answer) => answer.body.rolloutId)).size).toBe(1)
  expect(listed.body).toMatchObject({ totalCount: 1, items: [{ name: 'Once', ringCount: 1, computerCount: 1 }] })
})

test('windows and release of rings that wait can be changed, those of others not; If-Match notices changes by others only', async () => {
  const { group } = await fleet(2)
  const { rolloutId: id } = (await create(group, { rings: [{ count: 1 }, {}] })).body
  const etag = (await operator.call(getRollout, { params: { id } })).headers.etag ?? ''
  await tick(id)
  const windows = [{ days: ['Sat' as const], start: '22:00', durationMinutes: 240 }]
  const change = (ring: number, ifMatch: string) =>
    operator.call(updateRollout, {
      params: { id },
      body: { rings: [{ ring, windows, releaseMinutes: 60 }] },
      headers: { 'if-match': ifMatch },
    })
  const begun = await change(1, '*')
  const changed = await change(2, etag)
  const outdated = await change(2, etag)

  expect(begun).toMatchObject({ status: 409, problem: 'RingBegun' })
  expect(changed.body).toMatchObject({ version: 2, rings: [{ windows: [] }, { windows, releaseMinutes: 60 }] })
  expect(outdated.status).toBe(412)
})

test('a rollout whose group is deleted is cancelled', async () => {
  const { group } = await fleet(1)
  const { rolloutId: id } = (await create(group)).body
  await db.deleteFrom('groups').where('id', '=', group.id).execute()
  await tick(id)

  expect(await tick(id)).toMatchObject({ state: 'Cancelled', endedAtUtc: expect.any(String) })
  expect((await computers(id))[0]?.state).toBe('Waiting')
  expect((await read(id)).next).toBeNull()
})

test('a task by which a rollout releases computers names the rollout, is not retried alone, and not listed beside it', async () => {
  const { group, agents } = await fleet(1)
  const { rolloutId: id } = (await create(group, { name: 'Released by a task' })).body
  await tick(id)
  const [task] = (await operator.call(listTasks, { query: { clientId: agents[0]?.id ?? 0 } })).body.items
  const trackingId = task?.trackingId ?? ''

  const retried = await operator.call(retryTask, { params: { trackingId } })
  const { items } = (await operator.call(listTimeline, { query: { state: ['Running'], groupId: group.id } })).body

  expect(task).toMatchObject({ rolloutId: id, rolloutName: 'Released by a task', createdBy: null })
  expect(retried).toMatchObject({ status: 409, problem: 'TaskOfRollout' })
  expect(items).toMatchObject([{ id, kind: 'Rollout', state: 'Running', groupPath: group.path, total: 1, open: 1 }])
})

test('what somebody has created is theirs, and not of another person with the same name', async () => {
  const { group } = await fleet(1)
  const roles = ['activation.execute', 'computer.read'] as const
  const callerOf = async () => {
    const { id } = await given.identityPrincipal({ displayName: 'Ada Byron', roles })
    return withToken(await app.services.tokens.issue(id))
  }
  const [ada, namesake] = [await callerOf(), await callerOf()]
  const rollout = await ada.call(createRollout, {
    body: { name: 'Hers', groupId: group.id, rings: [{ releaseMinutes: 180 }] },
  })
  const params = { id: group.id }
  const task = await ada.call(activateGroup, { params, body: { software: true } })
  const mineFor = async (caller: Caller) =>
    (await caller.call(listTimeline, { query: { mine: true } })).body.items.map(({ id }) => id).sort()

  expect(await mineFor(ada)).toEqual([rollout.body.rolloutId, task.body.trackingId].sort())
  expect(await mineFor(namesake)).toEqual([])
})

test('the tasks of single computers are left out of the timeline, or listed alone', async () => {
  const { group, agents } = await fleet(1)
  const [agent] = agents
  const rollout = await create(group, { rings: [{ releaseMinutes: 0 }] })
  const single = await operator.call(activateComputer, { params: { id: agent?.id ?? 0 }, body: { software: true } })
  const listed = async (singleComputers?: boolean) => {
    const query = singleComputers === undefined ? {} : { singleComputers }
    const { items } = (await operator.call(listTimeline, { query: { ...query, top: 100 } })).body
    return [single.body?.trackingId, rollout.body.rolloutId].map((id) => items.some((item) => item.id === id))
  }

  expect([await listed(), await listed(false), await listed(true)]).toEqual([
    [true, true],
    [false, true],
    [true, false],
  ])
})

test('the computers of a rollout are listed by the cause of their failure', async () => {
  const { group, agents } = await fleet(3)
  const { body } = await create(group, { rings: [{ releaseMinutes: 0 }], criteria: { sharedCauseComputers: null } })
  const id = body.rolloutId
  await tick(id)
  const [full, , broken] = agents
  if (!full || !broken) throw new Error('The fleet has three computers.')
  await fail([full], () => ({ output: 'E: no space left on device', exitCode: 28 }))
  await fail([broken], () => ({ output: '', exitCode: 1603 }))
  await tick(id)
  const ids = async (query: object) => (await computers(id, query)).map(({ computerId }) => computerId)

  expect(await ids({ exitCode: 28 })).toEqual([full.id])
  expect(await ids({ error: 'e: no space left on device' })).toEqual([full.id])
  expect(await ids({ exitCode: 1603 })).toEqual([broken.id])
  expect(await ids({ exitCode: 28, error: 'e: access denied' })).toEqual([])
})
