import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findWindow, knownTimeZone, weekdays } from '../../src/features/hand-out/rollout-windows.ts'
import { openRolloutWorld } from './rollout-world.ts'

const world = await openRolloutWorld()
const { create, db, fleet, state, tick } = world

describe('a window of 60 minutes at 2:30 on Sundays in Berlin', () => {
  const windows = [{ days: ['Sun'] as const, start: '02:30', durationMinutes: 60 }]
  const at = (time: string, limitMinutes = 30) =>
    findWindow(windows, { timeZone: 'Europe/Berlin', at: new Date(time), limitMinutes })
  const opens = (time: string) => ({ isOpen: false, opensAt: new Date(time) })
  const closes = (time: string) => ({ isOpen: true, closesAt: new Date(time) })

  test('opens an hour earlier in UTC in summer', () => {
    expect(at('2026-02-28T12:00:00Z')).toEqual(opens('2026-03-01T01:30:00Z'))
    expect(at('2026-06-06T12:00:00Z')).toEqual(opens('2026-06-07T00:30:00Z'))
  })

  test('opens after the hour that clocks skip, for its full length', () => {
    expect(at('2026-03-29T00:59:00Z')).toEqual(opens('2026-03-29T01:30:00Z'))
    expect(at('2026-03-29T01:31:00Z')).toEqual(closes('2026-03-29T02:30:00Z'))
  })

  test('opens once in the hour that clocks repeat', () => {
    expect(at('2026-10-25T00:31:00Z')).toEqual(closes('2026-10-25T01:30:00Z'))
    expect(at('2026-10-25T01:31:00Z')).toEqual(opens('2026-11-01T01:30:00Z'))
  })

  test('is closed to work whose time limit does not fit any more, and to work that never fits', () => {
    expect(at('2026-06-07T01:00:00Z', 30)).toEqual(closes('2026-06-07T01:30:00Z'))
    expect(at('2026-06-07T01:01:00Z', 30)).toEqual(opens('2026-06-14T00:30:00Z'))
    expect(at('2026-06-07T00:30:00Z', 61)).toEqual({ isOpen: false, opensAt: null })
  })
})

test('an unknown time zone of a computer is UTC', () => {
  expect(['Europe/Berlin', 'W. Europe Standard Time', '', null].map(knownTimeZone)).toEqual([
    'Europe/Berlin',
    'UTC',
    'UTC',
    'UTC',
  ])
})

/** A window that opened or opens in this many minutes, in local time of the zone. */
function windowIn(minutes: number, { timeZone = 'UTC', durationMinutes = 60 } = {}) {
  const at = new Date(Date.now() + minutes * 60_000)
  const start = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return [{ days: [...weekdays], start, durationMinutes }]
}

const commandWith = (timeLimitMinutes: number) => ({
  manifest: JSON.stringify({ commands: { install: { argv: ['sh'], timeLimitMinutes } } }),
})

test('in a window, work is handed out whose time limit fits; other work waits for the next one', async () => {
  const { group, agents, packages } = await fleet(1, commandWith(20), commandWith(55))
  const agent = agents[0] ?? expect.fail()
  const { rolloutId: id } = (await create(group, { windows: windowIn(-10) })).body
  await tick(id)
  const { body } = await agent.contact()
  const waiting = await db
    .selectFrom('work')
    .selectAll()
    .where('package_id', '=', packages[1]?.id ?? '')
    .executeTakeFirstOrThrow()

  expect(body.work.map((item) => item.package?.packageId)).toEqual([packages[0]?.id])
  expect(waiting).toMatchObject({ state: 'Due', delayed_by: 'Rollout' })
  expect(new Date(waiting.not_before).getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000)
})

test('a window that names a day twice opens once on that day', async () => {
  const { group, agents } = await fleet(1, commandWith(20))
  const began = new Date(Date.now() - 10 * 60_000).toLocaleDateString('en-GB', { timeZone: 'UTC', weekday: 'short' })
  const day = weekdays.find((name) => name === began) ?? expect.fail()

  const { status, body } = await create(group, {
    windows: windowIn(-10).map((window) => ({ ...window, days: [day, day] })),
  })
  await tick(body.rolloutId)

  expect(status).toBe(201)
  expect((await agents[0]?.contact())?.body.work).toHaveLength(1)
})

test('an agent gets only as much work as fits into its window one after the other', async () => {
  const { group, agents } = await fleet(1, commandWith(20), commandWith(20), commandWith(20))
  const { rolloutId: id } = (await create(group, { windows: windowIn(-5) })).body
  await tick(id)

  expect((await agents[0]?.contact())?.body.work).toHaveLength(2)
})

test('work that was handed out in a window does not start when too little of it is left', async () => {
  const { group, agents } = await fleet(1, commandWith(20))
  const agent = agents[0] ?? expect.fail()
  const { rolloutId: id } = (await create(group, { windows: windowIn(-5) })).body
  await tick(id)
  const [item] = (await agent.contact()).body.work
  const { start_by } = await state.work(item?.workId ?? 0)
  await sql`update work set start_by = now() - interval '1 second' where id = ${item?.workId}`.execute(db)

  expect(new Date(start_by ?? 0).getTime() - Date.now()).toBeGreaterThan(33 * 60_000)
  expect(await agent.start(item?.workId ?? 0)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
})

test('windows follow the time zone of the computer, unless the rollout gives one', async () => {
  const open = windowIn(-5, { timeZone: 'Asia/Tokyo' })
  const counts: number[] = []
  for (const timeZone of [null, 'Asia/Tokyo', 'UTC']) {
    const { group, agents } = await fleet(1, commandWith(20))
    const agent = agents[0] ?? expect.fail()
    await sql`insert into system_records (computer_id, time_zone) values (${agent.id}, 'Asia/Tokyo')`.execute(db)
    await tick((await create(group, { timeZone, rings: [{ windows: open }] })).body.rolloutId)
    counts.push((await agent.contact()).body.work.length)
  }

  expect(counts).toEqual([1, 1, 0])
})

test('an agent comes back when the window opens', async () => {
  const { group, agents } = await fleet(1, commandWith(20))
  await tick((await create(group, { windows: windowIn(20) })).body.rolloutId)
  const { nextContactSeconds } = (await agents[0]?.contact())?.body ?? expect.fail()

  expect(nextContactSeconds).toBeGreaterThan(18 * 60)
  expect(nextContactSeconds).toBeLessThan(30 * 60)
})

test('an emergency ignores windows, and so does every rollout after its deadline, which also ends gradual release', async () => {
  const closed = windowIn(120)
  const works: number[] = []
  const inAMinute = new Date(Date.now() + 60_000).toISOString()
  for (const body of [{ emergency: true }, { deadlineUtc: '2020-01-01T00:00:00Z' }, { deadlineUtc: inAMinute }, {}]) {
    const { group, agents } = await fleet(2, commandWith(20))
    const ring = { releaseMinutes: 'deadlineUtc' in body ? 600 : 0 }
    const { rolloutId: id } = (await create(group, { windows: closed, rings: [ring], ...body })).body
    await tick(id)
    let count = 0
    for (const agent of agents) count += (await agent.contact()).body.work.length
    works.push(count)
  }

  expect(works).toEqual([2, 2, 0, 0])
})

test('until the deadline, work waits for the window or the deadline, whichever is earlier', async () => {
  const { group, agents } = await fleet(1, commandWith(20))
  const deadlineUtc = new Date(Date.now() + 30 * 60_000).toISOString()
  const { rolloutId: id } = (await create(group, { windows: windowIn(120), deadlineUtc })).body
  await tick(id)
  await agents[0]?.contact()
  const { rows } = await sql<{ not_before: Date }>`select not_before from work where rollout_id = ${id}`.execute(db)

  expect(rows).toEqual([{ not_before: new Date(deadlineUtc) }])
})
