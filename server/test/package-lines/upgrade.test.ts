import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { createPackageUpgrade } from '../../src/features/package-lines/api/create-package-upgrade.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { openLineWorld } from './line-world.ts'

const world = await openLineWorld()
const { activate, as, assignedTo, db, doWork, fail, given, groupWith, installed, join, line, openWork } = world
const { create, person, read, readUpgrade, tick, tickAll, upgrade, versions } = world

test('an upgrade replaces the assignment with its options, and only its first ring gets the version', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 4)
  const options = {
    params: { id: group.id },
    query: { packageId: old.id },
    body: { commands: ['Install' as const, 'Force' as const] },
  }
  await as('group.write').call(setDistributionOptions, options)

  const started = await upgrade(current, [group])

  expect(started).toMatchObject({ status: 201, body: { state: 'Running', rollouts: [{ computerCount: 4 }] } })
  expect(await assignedTo(group)).toEqual([current.id])
  const { rows } = await sql`
    select dist_commands from distribution_options where group_id = ${group.id} and package_id = ${current.id}`.execute(
    db,
  )
  expect(rows).toEqual([{ dist_commands: 17 }])
  await tickAll()
  expect(await doWork(agents)).toBe(1)
  const having = (await installed(agents)).map(([id]) => id)
  expect(having.filter((id) => id === current.id)).toHaveLength(1)
  expect(having.filter((id) => id === old.id)).toHaveLength(3)
})

test('the second ring gets the version when the first is healthy', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 3)
  const { upgradeId } = (await upgrade(current, [group])).body
  for (let round = 0; round < 2; round++) {
    await tickAll()
    await doWork(agents)
  }
  await tickAll()

  expect((await installed(agents)).flat()).toEqual([current.id, current.id, current.id])
  expect(await readUpgrade(upgradeId)).toMatchObject({ state: 'Completed', rollouts: [{ succeededCount: 3 }] })
})

test('neither an activation nor a rollout of everything brings the version to a ring that has not opened', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 3)
  await upgrade(current, [group])

  await activate(group)
  const { rolloutId } = (await create(group, { rings: [{}] })).body
  await tick(rolloutId)
  await tickAll()

  expect((await openWork(agents)).map(({ package_id }) => package_id)).toEqual([current.id])
})

test('a failing first ring pauses the upgrade, and an activation does not pass it by', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 3)
  const { upgradeId } = (await upgrade(current, [group])).body
  await tickAll()
  await fail(agents)
  await tickAll()

  await activate(group)

  expect((await readUpgrade(upgradeId)).state).toBe('Paused')
  expect((await openWork(agents)).length).toBeLessThanOrEqual(1)
  expect((await installed(agents)).flat().filter((id) => id === current.id)).toEqual([])
})

test('a ring opens in no group before the ring before it is done in all groups', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const [one, other] = [await groupWith(old, 2), await groupWith(old, 2)]
  const { rollouts } = (await upgrade(current, [one.group, other.group])).body
  const [first] = rollouts.filter(({ groupId }) => groupId === one.group.id)
  await tickAll()
  await doWork(one.agents)
  await tickAll()

  expect(await openWork(one.agents)).toEqual([])
  expect((await read(first?.rolloutId ?? '')).next).toMatchObject({ code: 'OtherGroups', ring: 2 })

  await doWork(other.agents)
  await tickAll()
  await tickAll()
  expect([await openWork(one.agents), await openWork(other.agents)].map(({ length }) => length)).toEqual([1, 1])
})

test('a group below another one is part of its rollout', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const above = await groupWith(old, 1)
  const below = await groupWith(old, 1, above.group)

  const started = await upgrade(current, [below.group, above.group], { rings: [{}] })

  expect(started.body.rollouts).toMatchObject([{ groupId: above.group.id, computerCount: 2 }])
  expect([await assignedTo(above.group), await assignedTo(below.group)]).toEqual([[current.id], [current.id]])
})

test('a dry run answers the rollouts, and changes nothing', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group } = await groupWith(old, 2)

  const tried = await upgrade(current, [group], {}, { dryRun: true })

  expect(tried).toMatchObject({ status: 201, body: { rollouts: [{ computerCount: 2 }] } })
  expect(await assignedTo(group)).toEqual([old.id])
  const { rows } = await sql`select from rollouts where upgrade_id = ${tried.body.upgradeId}`.execute(db)
  expect(rows).toEqual([])
})

test('an upgrade that affects more or fewer computers than expected is refused', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group } = await groupWith(old, 2)

  expect((await upgrade(current, [group], {}, { expectedCount: 1 })).status).toBe(409)
  expect(await assignedTo(group)).toEqual([old.id])
  expect((await upgrade(current, [group], {}, { expectedCount: 2 })).status).toBe(201)
})

test('of two upgrades at the same time, one is made', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group } = await groupWith(old, 2)

  const both = await Promise.all([upgrade(current, [group]), upgrade(current, [group])])

  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(both.find(({ status }) => status === 409)).toMatchObject({ problem: 'NoOlderVersion' })
  const { rows } = await sql`select from rollouts where package_id = ${current.id}`.execute(db)
  expect(rows).toHaveLength(1)
})

test('of upgrades to two versions at the same time, one is made', async () => {
  const [old, current, next] = await versions(['1.0', '2.0', '3.0'])
  const { group } = await groupWith(old, 2)

  const both = await Promise.all([upgrade(current, [group]), upgrade(next, [group])])

  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(await assignedTo(group)).toHaveLength(1)
})

test('an upgrade is refused while a rollout of an older version has not finished its rings', async () => {
  const [old, current, next] = await versions(['1.0', '2.0', '3.0'])
  const { group, agents } = await groupWith(old, 2)
  await upgrade(current, [group])
  await tickAll()

  expect(await upgrade(next, [group])).toMatchObject({ status: 409, problem: 'RolloutRunning' })

  for (let round = 0; round < 3; round++) {
    await doWork(agents)
    await tickAll()
  }
  const second = await upgrade(next, [group])
  expect(second.status).toBe(201)
  expect((await line(next)).versions.map(({ groupCount }) => groupCount)).toEqual([1, 0, 0])
})

test('a version that is not released is not brought to anybody', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group } = await groupWith(old, 1)
  await person.call(setReadyToInstall, { params: { id: current.id }, body: { operational: false } })

  expect(await upgrade(current, [group])).toMatchObject({ status: 409, problem: 'PackageNotReleased' })
})

test('one group that cannot be upgraded leaves all as they are', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const good = await groupWith(old, 1)
  const covered = await groupWith(old, 1)
  const softwareClass = await given.softwareClass({ packages: [current] })
  await given.assignment(covered.group, softwareClass, 'softwareClass')

  const refused = await upgrade(current, [good.group, covered.group])

  expect(refused).toMatchObject({ status: 409, problem: 'GroupNotUpgradable' })
  expect(await assignedTo(good.group)).toEqual([old.id])
})

test('a principal needs the role to change groups as well', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group } = await groupWith(old, 1)
  const body = { groupIds: [group.id] }

  const refused = await as('activation.execute').call(createPackageUpgrade, { params: { id: current.id }, body })

  expect(refused).toMatchObject({ status: 403, raw: { requiredRole: 'group.write' } })
})

test('a computer that joins during the first ring waits for its ring, and an explanation says so', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 2)
  // A ring that is a group of its own, because the position of a later computer may be one of the first ring.
  const pilots = await given.group({ tree: 'AssignmentGroups' })
  await given.member(pilots, agents[0])
  await upgrade(current, [group], { rings: [{ groupId: pilots.id }, {}] })
  const late = await join(group)
  await tickAll()
  await activate(group)

  const explained = await as('computer.read').call(explainComputer, {
    params: { id: late.id },
    query: { packageId: current.id },
  })

  expect(await openWork([late])).toEqual([])
  expect(JSON.stringify(explained.body.blockers)).toContain('has not begun')
})

test('without rings, a tenth of the computers comes first', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group } = await groupWith(old, 2)
  const params = { id: current.id }
  const { rollouts } = (await person.call(createPackageUpgrade, { params, body: { groupIds: [group.id] } })).body

  const { rings } = await read(rollouts[0]?.rolloutId ?? '')

  expect(rings.map(({ size, computers }) => [size.kind, size.size, computers.total])).toEqual([
    ['Percent', 10, 1],
    ['Rest', null, 1],
  ])
})

test('the rollouts of an upgrade have the settings of the request', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 2)
  for (const agent of agents)
    for (const designation of ['site:Bonn', 'protected:depot'])
      await sql`
        with tag as (
          insert into tags (designation) values (${designation})
          on conflict (lower(designation)) do update set designation = excluded.designation returning id
        )
        insert into computer_tags (computer_id, tag_id) select ${agent.id}, id from tag`.execute(db)
  const window = { days: ['Sat' as const], start: '22:00', durationMinutes: 240 }
  const settings = {
    windows: [window],
    timeZone: 'Europe/Berlin',
    criteria: { soakMinutes: 30 },
    emergency: true,
    deadlineUtc: '2099-01-01T00:00:00.000Z',
    userDeadline: {
      ...{ afterHours: 48, latestUtc: null, maxPostponements: 2, quietHours: null },
      ...{ closePrograms: [], noticeMinutes: 10 },
    },
    catchUpDays: 3,
  }
  const rings = [{ releaseMinutes: 60, windows: [] }]
  expect(await upgrade(current, [group], { ...settings, rings })).toMatchObject({ status: 409, problem: 'LastOfSite' })

  const { rollouts } = (await upgrade(current, [group], { ...settings, rings, allowLastOfSite: true })).body

  expect(await read(rollouts[0]?.rolloutId ?? '')).toMatchObject({
    ...{ timeZone: 'Europe/Berlin', emergency: true, deadlineUtc: settings.deadlineUtc, catchUpDays: 3 },
    ...{ criteria: { soakMinutes: 30 }, userDeadline: { afterHours: 48 } },
    rings: [{ releaseMinutes: 60, windows: [] }],
  })
})
